/** One open database: plain statements, which go to the driver themselves, and the one door that lets a change through. */
import type { DatabaseConfig } from '../config.ts'
import { type CellsRow, type Columns, cellsOf, holdsBytes, rowOf } from './cells.ts'
import { type CommitCache, openCommitCache } from './commit-cache.ts'
import { type Bind, type Change, type Connection, type Connections, StatementError } from './connections.ts'
import { tellOnce } from './count-failures.ts'
import { idsOf, insertsOf, returning, updateOf } from './insert.ts'
import { openMariadb } from './mariadb.ts'
import { apiKeys } from './models/api-keys.ts'
import { blobBytes, blobs } from './models/blobs.ts'
import { eventRow, events } from './models/events.ts'
import { files } from './models/files.ts'
import { fileMetadata, metadataFields } from './models/metadata.ts'
import type { Model } from './models/model.ts'
import { roles } from './models/roles.ts'
import { sessions } from './models/sessions.ts'
import { spaces } from './models/spaces.ts'
import { fileTags, tags } from './models/tags.ts'
import { thumbnails } from './models/thumbnails.ts'
import { users } from './models/users.ts'
import { withText } from './row-text.ts'
import { openSqlite } from './sqlite.ts'
import { openWriter, type WriteActor, type WriteEvent, type Writer } from './write.ts'

const models = {
  users,
  spaces,
  sessions,
  apiKeys,
  files,
  blobs,
  blobBytes,
  thumbnails,
  tags,
  fileTags,
  metadataFields,
  fileMetadata,
  roles,
  events,
}

export interface Database extends Pick<Writer, 'write' | 'touch' | 'snapshot'>, Readonly<typeof models> {
  readonly dialect: DatabaseConfig['dialect']
  /** The rows of a SELECT, as plain objects. Values go in as `$1`, `$2`, …, never into the text. */
  rows<Row extends object>(sql: string, bind?: readonly Bind[]): Promise<Row[]>
  /** The first row, if there is one. */
  row<Row extends object>(sql: string, bind?: readonly Bind[]): Promise<Row | undefined>
  /**
   * The same for a page of rows, with columns by their names and what follows them in the statement: `FROM files f …`.
   * They hold numbers, text and NULL. After `most` ms it ends with an error: failures.ts.
   */
  page<Row extends object>(columns: Columns<Row>, rest: string, bind?: readonly Bind[], most?: number): Promise<Row[]>
  /** Adds a row inside a write, the model's defaults in the columns left out; gives back its id. */
  insert<Row extends { id: number }, New extends object>(model: Model<Row, New>, row: New): Promise<number>
  /** Adds any number of rows, all with the same columns. */
  insertAll<New extends object>(model: Model<object, New>, rows: readonly New[]): Promise<void>
  /** The same for rows of which no two have the same `keys`; gives back their ids. */
  insertIds<New extends object>(
    model: Model<{ id: number }, New>,
    rows: readonly New[],
    keys: readonly (keyof New & string)[],
  ): Promise<number[]>
  /** Changes a row's columns inside a write; a column given as undefined stays. Returns the number of matched rows (0 or 1). */
  update<Row extends { id: number }>(model: Model<Row, object>, columns: Partial<Row>, id: number): Promise<number>
  /** Runs an UPDATE or DELETE inside a write. Returns the number of matched rows. */
  change(sql: string, bind?: readonly Bind[]): Promise<number>
  /**
   * What `read` gives, or gave before under the same key where nothing at all was committed since: for what nearly every
   * request asks. Inside a write it is read in any case.
   */
  readonly cached: CommitCache
  /** How many writes wait for their turn. */
  waiting(): number
  close(): Promise<void>
}

const open = (config: DatabaseConfig, isLoading: boolean): Promise<Connections> =>
  config.dialect === 'sqlite' ? openSqlite(config.file, isLoading) : openMariadb(config.url, isLoading)

interface Statement {
  sql: string
  isChange: boolean
}

/** Lends a statement the connection that the running code belongs to. */
async function onConnection<T>(
  writer: Writer,
  { sql, isChange }: Statement,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await writer.connectionFor(isChange)
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
  const connections = await open(config, isLoading)
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

  const onConnectionTold = <T>(statement: Statement, use: (connection: Connection) => Promise<T>): Promise<T> =>
    onConnection(writer, statement, use).catch(error => {
      // The write that it is part of may be tried again, and tells of it if it is not.
      if (!connections.mayRetry(error)) tell(error)
      throw error
    })
  const run = (sql: string, bind: readonly Bind[]): Promise<Change> =>
    onConnectionTold({ sql, isChange: true }, connection => connections.change(connection, sql, bind))
  const change = async (sql: string, bind: readonly Bind[] = []): Promise<number> => (await run(sql, bind)).count
  const insertAll = async (model: Model<object>, list: readonly object[]): Promise<number> => {
    let id = 0
    for (const { sql, bind } of insertsOf(model, list)) id = (await run(sql, bind)).lastId
    return id
  }
  const select = (statement: Statement, bind: readonly Bind[], most?: number): Promise<object[]> =>
    onConnectionTold(statement, connection => connections.select(connection, statement.sql, bind, most))
  const rows = async <Row extends object>(sql: string, bind: readonly Bind[] = [], most?: number): Promise<Row[]> =>
    (await select({ sql, isChange: false }, bind, most)) as Row[]
  const insertIds = async (model: Model<object>, list: readonly object[], keys: readonly string[]) => {
    const added: object[] = []
    for (const { sql, bind } of insertsOf(model, list)) {
      added.push(...(await select({ sql: sql + returning(keys), isChange: true }, bind)))
    }
    return idsOf(list, keys, added)
  }
  const page = async <Row extends object>(
    columns: Columns<Row>,
    rest: string,
    bind: readonly Bind[] = [],
    most?: number,
  ) => {
    const names = Object.values(columns).join(', ')
    if (config.dialect === 'mariadb') return rows<Row>(`SELECT ${names} ${rest}`, bind, most)
    try {
      const lines = await rows<CellsRow>(`SELECT ${cellsOf(columns)} ${rest}`, bind, most)
      return lines.map(line => rowOf(columns, line))
    } catch (error) {
      if (!holdsBytes(error)) throw error
      // The row is shown with the same letters, so that it hides no other.
      return (await rows<Row>(`SELECT ${names} ${rest}`, bind, most)).map(withText)
    }
  }
  const { version } = connections
  const kept: CommitCache = version === undefined ? (_key, read) => read() : openCommitCache(version)
  return {
    dialect: config.dialect,
    ...models,
    rows: (sql, bind) => rows(sql, bind),
    row: async <Row extends object>(sql: string, bind?: readonly Bind[]) => (await rows<Row>(sql, bind))[0],
    page,
    insert: (model, row) => insertAll(model, [row]),
    insertAll: async (model, list) => {
      await insertAll(model, list)
    },
    insertIds,
    update: async (model, columns, id) => {
      const { sql, bind } = updateOf(model, columns, id)
      return change(sql, bind)
    },
    change,
    write: writer.write,
    touch: writer.touch,
    snapshot: writer.snapshot,
    cached: (key, read) => (writer.isInside() ? read() : kept(key, read)),
    waiting: connections.waiting,
    close: connections.close,
  }
}
