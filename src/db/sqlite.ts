/** SQLite: one writer and three read-only readers, kept open, in WAL mode with every commit synced. */
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import sqlite3 from 'sqlite3'
import { openTurns } from '../turns.ts'
import { type Connection, type Connections, driverError } from './connections.ts'

const readerCount = 3

/**
 * Set on every connection where it is opened. synchronous=FULL: an acknowledged upload survives a power cut. The
 * busy timeout covers other processes on the same file, such as `filestore admin` beside a running server.
 */
export const pragmas = `
  PRAGMA busy_timeout = 10000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -16000;
  PRAGMA journal_size_limit = 67108864;
`

const exec = (database: sqlite3.Database, sql: string): Promise<void> => promisify(database.exec.bind(database))(sql)

async function openConnection(file: string): Promise<sqlite3.Database> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(file, error => (error ? reject(error) : resolve(opened)))
  })
  await exec(database, pragmas)
  return database
}

/**
 * Makes an empty file, and its folder, that only their owner can read; one that is there stays as it is. It will hold
 * the hashes of passwords and keys, and the bytes of small files. SQLite gives its journals the mode of the database.
 */
export function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
}

/** Opens the file, creating it and its folder if need be. */
export async function openSqlite(file: string): Promise<Connections> {
  createPrivateFile(file)
  // The writer first: it creates the file and turns WAL on.
  const writer = await openConnection(file)
  const readers = await Promise.all(Array.from({ length: readerCount }, () => openConnection(file)))
  for (const reader of readers) await exec(reader, 'PRAGMA query_only = ON')

  let nextReader = 0
  const takeTurn = openTurns({ atOnce: 1 })
  return {
    begin: 'BEGIN IMMEDIATE',
    reader: async () => {
      const reader = readers[nextReader++ % readerCount]
      if (reader === undefined) throw new Error('the database is closed')
      return reader
    },
    release: () => undefined,
    execute: (connection: Connection, sql) => exec(connection as sqlite3.Database, sql),
    withWriter: job => takeTurn(() => job(writer)),
    mayRetry: error => driverError(error).code === 'SQLITE_BUSY',
    close: async () => {
      // Behind every write that waits.
      await takeTurn(async () => undefined)
      for (const database of [...readers, writer]) await promisify(database.close.bind(database))()
    },
  }
}
