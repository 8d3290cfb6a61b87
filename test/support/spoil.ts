/**
 * Damages a test server's data without the server and without foreign keys, as a broken disk, a bug or a person would.
 */
import { appendFile, mkdir, open, truncate, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import mysql from 'mysql2/promise'
import sqlite3 from 'sqlite3'
import { newBlobKey } from '../../src/blobs/receive.ts'
import type { TestServer } from './test-server.ts'

type Place = Pick<TestServer, 'dataDir' | 'databaseFlag'>

async function spoilSqlite(dataDir: string, statements: readonly string[]): Promise<void> {
  const database = new sqlite3.Database(join(dataDir, 'filestore.db'))
  const run = promisify(database.exec.bind(database)) as (sql: string) => Promise<void>
  await run('PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = OFF')
  for (const statement of statements) await run(statement)
  await promisify(database.close.bind(database))()
}

/** Moves all pages of an SQLite server's log into its database file. Returns 1 if others kept it from that, else 0. */
export async function emptyLog({ dataDir }: Place): Promise<number> {
  const database = new sqlite3.Database(join(dataDir, 'filestore.db'))
  const get = promisify(database.get.bind(database)) as (sql: string) => Promise<unknown>
  const { busy } = (await get('PRAGMA wal_checkpoint(TRUNCATE)')) as { busy: number }
  await promisify(database.close.bind(database))()
  return busy
}

async function spoilMariadb(url: string, statements: readonly string[]): Promise<void> {
  const connection = await mysql.createConnection(url)
  await connection.query('SET foreign_key_checks = 0')
  for (const statement of statements) await connection.query(statement)
  await connection.end()
}

/** Runs statements with foreign keys turned off. */
export const spoilRows = ({ dataDir, databaseFlag }: Place, ...statements: string[]): Promise<void> =>
  databaseFlag === undefined ? spoilSqlite(dataDir, statements) : spoilMariadb(databaseFlag, statements)

/** The path of a key in the local store. */
export const pathOfKey = ({ dataDir }: Pick<TestServer, 'dataDir'>, key: string): string =>
  join(dataDir, 'storage', 'blobs', key.slice(0, 2), key)

/** The path that the local store would use for an unknown key, so that a test can plant a file there. */
export async function freePathOf(place: Pick<TestServer, 'dataDir'>, key: string): Promise<string> {
  const path = pathOfKey(place, key)
  await mkdir(dirname(path), { recursive: true })
  return path
}

/** Flips all bits of one byte. */
export async function flipByte(path: string, position: number): Promise<void> {
  const file = await open(path, 'r+')
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position)
  await file.write(Buffer.from([(buffer[0] ?? 0) ^ 0xff]), 0, 1, position)
  await file.close()
}

export const cutShort = (path: string): Promise<void> => truncate(path, 1000)
export const lengthen = (path: string): Promise<void> => appendFile(path, 'more')

/** Sets a file's modification time two days back. */
export const age = (path: string): Promise<void> =>
  utimes(path, Date.now() / 1000 - 172_800, Date.now() / 1000 - 172_800)

/** Puts other bytes in the place of a key's, in any store. */
export async function overwrite(
  { deps: { store } }: Pick<TestServer, 'deps'>,
  key: string,
  change: (bytes: Buffer) => Buffer,
): Promise<void> {
  const changed = change(await buffer(await store.read(key)))
  const draft = key.slice(0, 2) + newBlobKey().slice(2)
  await store.put(draft, Readable.from([changed]))
  await store.replace(key, draft)
}

/** Changes all bits of the byte in the middle. */
export const flipMiddle = (bytes: Buffer): Buffer => {
  const middle = bytes.length >> 1
  return Buffer.concat([bytes.subarray(0, middle), Buffer.from([~(bytes[middle] ?? 0)]), bytes.subarray(middle + 1)])
}
