/** SQLite in WAL mode, every commit synced. Keeps one writer and three read-only readers open. */
import { accessSync, closeSync, constants, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type sqlite3 from 'sqlite3'
import { systemCode } from '../base/errors.ts'
import { makeFolder } from '../base/make-folder.ts'
import { openTurns } from '../base/turns.ts'
import { type Connection, type Connections, driverError } from './connections.ts'
import { openStatements, type SqliteStatements } from './sqlite-statements.ts'
import { openWalIndex } from './wal-index.ts'

const readerCount = 3

/**
 * Set on every connection when it is opened. synchronous=FULL: an acknowledged upload survives a power cut. The busy
 * timeout covers other processes on the same file, such as `filestore admin` beside a running server.
 */
export const pragmas = `
  PRAGMA busy_timeout = 10000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -16000;
  PRAGMA journal_size_limit = 67108864;
`

/**
 * Also set while an empty file is loaded: rows may come before those they refer to, nothing is synced, and the cache
 * holds indexes whose order is not that of the rows.
 */
const loadingPragmas = `
  PRAGMA foreign_keys = OFF;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -64000;
  PRAGMA wal_autocheckpoint = 16000;
`

/** Runs any number of statements. */
export const execute = (database: sqlite3.Database, sql: string): Promise<void> =>
  promisify(database.exec.bind(database))(sql)

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Opens a connection with SQLite's defaults. Loads the driver only here, so a server on MariaDB starts sooner. */
export async function connect(file: string): Promise<sqlite3.Database> {
  const driver = (await import('sqlite3')).default
  return new Promise((resolve, reject) => {
    const opened: sqlite3.Database = new driver.Database(file, error => (error ? reject(error) : resolve(opened)))
  })
}

/** Opens a connection with the usual pragmas. */
export async function openConnection(file: string): Promise<sqlite3.Database> {
  const database = await connect(file)
  await execute(database, pragmas)
  return database
}

/**
 * Creates an empty file, and its folder, that only their owner can read; an existing file stays as it is. The database
 * holds the hashes of passwords and keys, and the bytes of small files. SQLite gives its journals the database's mode.
 */
export async function createPrivateFile(file: string): Promise<void> {
  await makeFolder(dirname(file))
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    // Do not open the file: closing it would release all locks that this process has on it, SQLite's included.
    accessSync(file, constants.W_OK)
  }
}

/**
 * Lends each connection to one user at a time. A second statement on it would hold a thread while it waits, and file
 * access needs the threads too.
 */
function openLoans(connections: readonly Connection[]) {
  const free = [...connections]
  const waiting: ((connection: Connection) => void)[] = []
  return {
    take: async (): Promise<Connection> =>
      free.pop() ?? (await new Promise<Connection>(resolve => waiting.push(resolve))),
    release: (connection: Connection): void => {
      const next = waiting.shift()
      if (next === undefined) free.push(connection)
      else next(connection)
    },
  }
}

/** Waits for `rows`; interrupts the connection if it is still working on them after `most` ms. */
async function orInterrupt<Rows>(database: sqlite3.Database, rows: Promise<Rows>, most: number): Promise<Rows> {
  // Safe because the connection is lent to this statement alone; otherwise it would end another's.
  const timer = setTimeout(() => database.interrupt(), most)
  try {
    return await rows
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Opens the file, creating it and its folder if need be. With `isLoading` rows may come before those they refer to, and
 * they are on disk only after `close` has resolved.
 */
export async function openSqlite(file: string, isLoading: boolean): Promise<Connections> {
  await createPrivateFile(file)
  // The writer opens first: it creates the file and turns WAL on.
  const writer = await openConnection(file)
  if (isLoading) await execute(writer, loadingPragmas)
  const readers = await Promise.all(Array.from({ length: readerCount }, () => openConnection(file)))
  for (const reader of readers) await execute(reader, 'PRAGMA query_only = ON')
  const walIndex = openWalIndex(file)

  const statements = new Map([writer, ...readers].map(database => [database as Connection, openStatements(database)]))
  const statementsOf = (connection: Connection): SqliteStatements => {
    const found = statements.get(connection)
    if (found === undefined) throw new Error('not a connection of this database')
    return found
  }
  const loans = openLoans(readers)
  const inTurn = openTurns(() => ({ own: 1, all: 1 }))
  return {
    begin: 'BEGIN IMMEDIATE',
    // The end of a transaction that has ended fails.
    refuseEnded: async () => undefined,
    beginSnapshot: async connection => {
      await statementsOf(connection).change('BEGIN', [])
      // SQLite takes the snapshot at the first read.
      await statementsOf(connection).select('SELECT COUNT(*) FROM sqlite_master', [])
    },
    endSnapshot: async connection => {
      await statementsOf(connection).change('ROLLBACK', [])
    },
    reader: loans.take,
    release: loans.release,
    execute: async (connection, sql) => {
      await statementsOf(connection).change(sql, [])
    },
    select: (connection, sql, bind, most) => {
      const rows = statementsOf(connection).select(sql, bind)
      return most === undefined ? rows : orInterrupt(connection as sqlite3.Database, rows, most)
    },
    change: async (connection, sql, bind) => statementsOf(connection).change(sql, bind),
    version: walIndex.version,
    withWriter: ({ whose }, job) => inTurn(whose, () => job(writer)),
    lock: async () => undefined,
    isHeld: () => false,
    hold: () => () => undefined,
    isCluster: () => false,
    waiting: inTurn.waiting,
    mayRetry: error => driverError(error).code === 'SQLITE_BUSY',
    close: async () => {
      // Wait for all queued writes and all reads.
      do await inTurn('close', async () => undefined)
      while (inTurn.waiting() > 0)
      for (const _ of readers) await loans.take()
      for (const database of [...readers, writer]) {
        await statementsOf(database).close()
        await promisify(database.close.bind(database))()
      }
      walIndex.close()
      if (isLoading) await syncFile(file)
    },
  }
}
