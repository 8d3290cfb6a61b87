/** An open database: reads by plain SQL statements, and changes only inside `write` or `touch`. */
import type { DatabaseConfig } from '../config-values.ts'
import { type CommitCache, openCommitCache } from './commit-cache.ts'
import { type Bind, type Change, type Connection, type Connections, StatementError } from './connections.ts'
import { tellOnce } from './count-failures.ts'
import { idsOf, insertsOf, returning, updateOf } from './insert.ts'
import { type Columns, holdsBytes, type JsonRow, rowOf, selectJson, selectNamed } from './json-rows.ts'
import { openMariadb } from './mariadb.ts'
import { apiKeys } from './models/api-keys.ts'
import { blobBytes, blobs } from './models/blobs.ts'
import { eventRows, events } from './models/events.ts'
import { files } from './models/files.ts'
import { links, linkVisits } from './models/links.ts'
import { fileMetadata, metadataFields } from './models/metadata.ts'
import type { Model } from './models/model.ts'
import { roles } from './models/roles.ts'
import { sessions } from './models/sessions.ts'
import { favorites, groupMembers, shareHides, shares, userGroups } from './models/shares.ts'
import { spaces } from './models/spaces.ts'
import { fileTags, tags } from './models/tags.ts'
import { thumbnails } from './models/thumbnails.ts'
import { uploads } from './models/uploads.ts'
import { users } from './models/users.ts'
import type { Recorded } from './recorder.ts'
import { withText } from './row-text.ts'
import { openSqlite } from './sqlite.ts'
import { openWriter, type Writer } from './write.ts'
import type { WriteActor } from './write-actor.ts'

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
  userGroups,
  groupMembers,
  shares,
  shareHides,
  favorites,
  links,
  linkVisits,
  uploads,
  events,
}

export interface Database extends Pick<Writer, 'write' | 'touch' | 'lock' | 'snapshot'>, Readonly<typeof models> {
  readonly dialect: DatabaseConfig['dialect']
  /** Whether this is a Galera cluster, whose nodes do not know each other's row locks; known once a session was opened. */
  isCluster(): boolean
  /** Returns the rows of a SELECT as plain objects. Bind values as `$1`, `$2`, …; never put them into the text. */
  rows<Row extends object>(sql: string, bind?: readonly Bind[]): Promise<Row[]>
  /** The first row, if there is one. */
  row<Row extends object>(sql: string, bind?: readonly Bind[]): Promise<Row | undefined>
  /**
   * Like `rows`, for a page of rows, but faster on SQLite: takes the columns by name and the rest of the statement from
   * FROM on (`FROM files f …`). Columns may hold numbers, text and NULL. Fails after `most` ms; see failures.ts.
   */
  page<Row extends object>(columns: Columns<Row>, rest: string, bind?: readonly Bind[], most?: number): Promise<Row[]>
  /** Adds a row inside a write and returns its id. Columns left out get the model's defaults. */
  insert<Row extends { id: number }, New extends object>(model: Model<Row, New>, row: New): Promise<number>
  /** Adds any number of rows, all with the same columns. */
  insertAll<New extends object>(model: Model<object, New>, rows: readonly New[]): Promise<void>
  /** Like `insertAll`, and returns the ids. No two rows may have the same values in `keys`. */
  insertIds<New extends object>(
    model: Model<{ id: number }, New>,
    rows: readonly New[],
    keys: readonly (keyof New & string)[],
  ): Promise<number[]>
  /** Changes a row inside a write; columns given as undefined stay. Returns the number of matched rows (0 or 1). */
  update<Row extends { id: number }>(model: Model<Row, object>, columns: Partial<Row>, id: number): Promise<number>
  /** Runs an UPDATE or DELETE inside a write. Returns the number of matched rows. */
  change(sql: string, bind?: readonly Bind[]): Promise<number>
  /**
   * Returns what `read` returned for the same key, if nothing was committed since; else calls it. Meant for what nearly
   * every request reads. Inside a write it always calls `read`.
   */
  readonly cached: CommitCache
  /** The number of writes that wait for their turn. */
  waiting(): number
  close(): Promise<void>
}

const open = (config: DatabaseConfig, isLoading: boolean): Promise<Connections> =>
  config.dialect === 'sqlite' ? openSqlite(config.file, isLoading) : openMariadb(config.url, isLoading)

interface Statement {
  sql: string
  isChange: boolean
}

/** Runs a statement on the connection of the current transaction, or on a reader if there is none. */
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
 * Opens the configured database; migrate.ts must have made its tables. With `isLoading` foreign keys are not checked,
 * so use it only to load rows that were checked before. `onFailure` is called for each failure of the database or its
 * connection, except for a try that is repeated and then succeeds.
 */
export async function openDatabase(
  config: DatabaseConfig,
  { isLoading = false, onFailure = () => undefined }: DatabaseOptions = {},
): Promise<Database> {
  const connections = await open(config, isLoading)
  const save = async (actor: WriteActor, { events: list, slices }: Recorded) => {
    // Every event of a space changes what a listing of it shows, and so does a slice. The row stays locked until the
    // commit, so the writes of a space are committed in the order of the revisions that their events bear.
    const spaces = new Set([...list.map(event => event.spaceId), ...slices].filter(id => id !== null))
    for (const id of [...spaces].sort((a, b) => a - b)) {
      await writer.lock({ table: 'spaces', column: 'id', value: id })
      await change('UPDATE spaces SET revision = revision + 1 WHERE id = $1', [id])
    }
    await insertAll(events, eventRows(actor, list, Date.now()))
  }
  const tell = tellOnce(onFailure)
  const writer = openWriter(connections, save, tell)

  const onConnectionTold = <T>(statement: Statement, use: (connection: Connection) => Promise<T>): Promise<T> =>
    onConnection(writer, statement, use).catch(error => {
      // A retryable error may succeed with its write's next try; the writer reports it if it does not.
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
    const names = selectNamed(columns)
    if (config.dialect === 'mariadb') return rows<Row>(`SELECT ${names} ${rest}`, bind, most)
    try {
      const lines = await rows<JsonRow>(`SELECT ${selectJson(columns)} ${rest}`, bind, most)
      return lines.map(line => rowOf(columns, line))
    } catch (error) {
      if (!holdsBytes(error)) throw error
      // Bytes are shown as the text that they spell, so that a damaged row does not hide the other rows.
      return (await rows<Row>(`SELECT ${names} ${rest}`, bind, most)).map(withText)
    }
  }
  const { version } = connections
  const kept: CommitCache = version === undefined ? (_key, read) => read() : openCommitCache(version)
  return {
    dialect: config.dialect,
    isCluster: connections.isCluster,
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
    lock: writer.lock,
    snapshot: writer.snapshot,
    cached: (key, read) => (writer.isInside() ? read() : kept(key, read)),
    waiting: connections.waiting,
    close: connections.close,
  }
}
