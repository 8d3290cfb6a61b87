/**
 * One open database: plain statements, which go to the driver themselves, models for changes of few rows, and the one
 * door that lets a change through.
 */
import { type Model, type ModelStatic, Sequelize } from 'sequelize'
import type { DatabaseConfig } from '../config.ts'
import { type Bind, type Change, type Connection, type Connections, StatementError } from './connections.ts'
import { tellOnce } from './count-failures.ts'
import { insertsOf, returning } from './insert.ts'
import { openMariadb, poolSize } from './mariadb.ts'
import { type ApiKeyModel, defineApiKeys } from './models/api-keys.ts'
import { type BlobBytesModel, type BlobModel, defineBlobBytes, defineBlobs } from './models/blobs.ts'
import { defineEvents, type EventModel, eventRow } from './models/events.ts'
import { defineFiles, type FileModel } from './models/files.ts'
import {
  defineFileMetadata,
  defineMetadataFields,
  type FileMetadataModel,
  type MetadataFieldModel,
} from './models/metadata.ts'
import { defineRoles, type RoleModel } from './models/roles.ts'
import { defineSessions, type SessionModel } from './models/sessions.ts'
import { defineSpaces, type SpaceModel } from './models/spaces.ts'
import { defineFileTags, defineTags, type FileTagModel, type TagModel } from './models/tags.ts'
import { defineThumbnails, type ThumbnailModel } from './models/thumbnails.ts'
import { defineUsers, type UserModel } from './models/users.ts'
import { openSqlite } from './sqlite.ts'
import { openUnchanged, type Unchanged } from './unchanged.ts'
import { openWriter, type WriteActor, type WriteEvent, type Writer } from './write.ts'

export interface Database extends Pick<Writer, 'write' | 'touch' | 'snapshot'> {
  readonly dialect: DatabaseConfig['dialect']
  readonly users: UserModel
  readonly spaces: SpaceModel
  readonly sessions: SessionModel
  readonly apiKeys: ApiKeyModel
  readonly files: FileModel
  readonly blobs: BlobModel
  readonly blobBytes: BlobBytesModel
  readonly thumbnails: ThumbnailModel
  readonly tags: TagModel
  readonly fileTags: FileTagModel
  readonly metadataFields: MetadataFieldModel
  readonly fileMetadata: FileMetadataModel
  readonly roles: RoleModel
  readonly events: EventModel
  /** The rows of a SELECT, as plain objects. Values go in as `$1`, `$2`, …, never into the text. */
  rows<Row extends object>(sql: string, bind?: readonly Bind[]): Promise<Row[]>
  /** The first row, if there is one. */
  row<Row extends object>(sql: string, bind?: readonly Bind[]): Promise<Row | undefined>
  /** Adds a row inside a write, the model's defaults in the columns left out; gives back its id. */
  insert<Row extends { id: number }, New extends object>(table: ModelStatic<Model<Row, New>>, row: New): Promise<number>
  /** Adds any number of rows, all with the same columns. */
  insertAll<New extends object>(table: ModelStatic<Model<object, New>>, rows: readonly New[]): Promise<void>
  /** The same; gives the rows back as they now are, in no certain order. */
  insertReturning<Row extends object, New extends object>(
    table: ModelStatic<Model<Row, New>>,
    rows: readonly New[],
  ): Promise<Row[]>
  /** Runs an UPDATE or DELETE inside a write; gives back how many rows it met. */
  change(sql: string, bind?: readonly Bind[]): Promise<number>
  /**
   * What `read` gives, or gave before under the same key where nothing at all was committed since: for what nearly every
   * request asks. Inside a write it is read in any case.
   */
  readonly unchanged: Unchanged
  /** How many writes wait for their turn. */
  waiting(): number
  close(): Promise<void>
}

/** Booleans and times are numbers already, and models carry nothing but columns. */
const define = { timestamps: false, freezeTableName: true }

/**
 * mysql2: an UPDATE that meets a row counts it although nothing changed; SUM is a number; and a connection keeps so many
 * prepared statements, of which MariaDB allows 16,382 to all connections together.
 */
const mysqlOptions = { flags: ['FOUND_ROWS'], decimalNumbers: true, maxPreparedStatements: 200 }

async function openSequelize(config: DatabaseConfig, isLoading: boolean): Promise<[Sequelize, Connections]> {
  const shared = { logging: false as const, define, retry: { max: 1 } }
  if (config.dialect === 'sqlite') {
    return [
      new Sequelize({ ...shared, dialect: 'sqlite', storage: config.file }),
      await openSqlite(config.file, isLoading),
    ]
  }
  const pool = { max: poolSize, idle: 60_000, acquire: 30_000 }
  const sequelize = new Sequelize(config.url, { ...shared, dialect: 'mysql', pool, dialectOptions: mysqlOptions })
  return [sequelize, openMariadb(sequelize, isLoading)]
}

/** Sequelize asks its connection manager for every query: here it is told which connection that is. */
function routeConnections(sequelize: Sequelize, writer: Writer): void {
  const { connectionManager } = sequelize as unknown as { connectionManager: object }
  Object.assign(connectionManager, {
    getConnection: (options: unknown) => writer.connectionFor(options),
    releaseConnection: (connection: Connection) => writer.release(connection),
  })
  Object.assign(sequelize, {
    transaction: () => {
      throw new Error('use write(): a transaction of Sequelize has a connection and events of its own')
    },
  })
}

/** Lends a statement the connection that the running code belongs to. */
async function onConnection<T>(writer: Writer, sql: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await writer.connectionFor({})
  try {
    return await use(connection)
  } catch (error) {
    throw new StatementError(sql, error)
  } finally {
    writer.release(connection)
  }
}

interface DatabaseOptions {
  isLoading?: boolean
  onFailure?: () => void
}

/**
 * Opens the database of a configuration; its tables are there once migrate.ts has run. With `isLoading` nobody checks
 * that rows refer to rows: for whoever fills it with rows that were checked before. `onFailure` is called for whatever
 * fails in the database or on the way there, but not for what is tried again and then succeeds.
 */
export async function openDatabase(
  config: DatabaseConfig,
  { isLoading = false, onFailure = () => undefined }: DatabaseOptions = {},
): Promise<Database> {
  const [sequelize, connections] = await openSequelize(config, isLoading)
  const events = defineEvents(sequelize)
  const saveEvents = async (actor: WriteActor, list: readonly WriteEvent[]) => {
    await insertAll(
      events,
      list.map(event => eventRow(event.actor ?? actor, event, Date.now())),
    )
    // What a listing of a space shows has changed with any of its events.
    const spaces = new Set(list.map(event => event.spaceId).filter(id => id !== null))
    for (const id of [...spaces].sort((a, b) => a - b)) {
      await change('UPDATE spaces SET revision = revision + 1 WHERE id = $1', [id])
    }
  }
  const tell = tellOnce(onFailure)
  const writer = openWriter(connections, saveEvents, tell)
  routeConnections(sequelize, writer)

  const onConnectionTold = <T>(sql: string, use: (connection: Connection) => Promise<T>): Promise<T> =>
    onConnection(writer, sql, use).catch(error => {
      // The write that it is part of may be tried again, and tells of it if it is not.
      if (!connections.mayRetry(error)) tell(error)
      throw error
    })
  const run = (sql: string, bind: readonly Bind[]): Promise<Change> =>
    onConnectionTold(sql, connection => connections.change(connection, sql, bind))
  const change = async (sql: string, bind: readonly Bind[] = []): Promise<number> => (await run(sql, bind)).count
  const insertAll = async (table: ModelStatic<Model>, list: readonly object[]): Promise<number> => {
    let id = 0
    for (const { sql, bind } of insertsOf(table, list)) id = (await run(sql, bind)).lastId
    return id
  }
  const rows = async <Row extends object>(sql: string, bind: readonly Bind[] = []): Promise<Row[]> =>
    (await onConnectionTold(sql, connection => connections.select(connection, sql, bind))) as Row[]
  const insertReturning = async <Row extends object>(table: ModelStatic<Model>, list: readonly object[]) => {
    const added: Row[] = []
    for (const { sql, bind } of insertsOf(table, list)) added.push(...(await rows<Row>(sql + returning, bind)))
    return added
  }
  const { version } = connections
  const kept: Unchanged = version === undefined ? (_key, read) => read() : openUnchanged(version)
  return {
    dialect: config.dialect,
    users: defineUsers(sequelize),
    spaces: defineSpaces(sequelize),
    sessions: defineSessions(sequelize),
    apiKeys: defineApiKeys(sequelize),
    files: defineFiles(sequelize),
    blobs: defineBlobs(sequelize),
    blobBytes: defineBlobBytes(sequelize),
    thumbnails: defineThumbnails(sequelize),
    tags: defineTags(sequelize),
    fileTags: defineFileTags(sequelize),
    metadataFields: defineMetadataFields(sequelize),
    fileMetadata: defineFileMetadata(sequelize),
    roles: defineRoles(sequelize),
    events,
    rows,
    row: async <Row extends object>(sql: string, bind?: readonly Bind[]) => (await rows<Row>(sql, bind))[0],
    insert: (table, row) => insertAll(table as never, [row]),
    insertAll: async (table, list) => {
      await insertAll(table as never, list)
    },
    insertReturning: (table, list) => insertReturning(table as never, list),
    change,
    write: writer.write,
    touch: writer.touch,
    snapshot: writer.snapshot,
    unchanged: (key, read) => (writer.isInside() ? read() : kept(key, read)),
    waiting: connections.waiting,
    close: connections.close,
  }
}
