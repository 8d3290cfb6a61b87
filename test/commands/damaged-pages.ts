/** The data of a stopped server with a damaged SQLite file, and checks of how commands on it end. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sqlite3 from 'sqlite3'
import { expect } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import type { Finding } from '../../src/commands/fsck/finding.ts'
import type { FsckSummary } from '../../src/commands/fsck/fsck.ts'
import { buildFile, buildFolder, buildKey, buildTag, buildUser } from '../support/factories.ts'
import { largeContent, plantThumbnail } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'

/** Bytes that a disk loses at once: a sector. */
export const sectorSize = 512

export interface Site {
  dataDir: string
  databaseFlag: undefined
}

/** Undamaged data, which is copied for each damage. */
export interface Whole {
  dataDir: string
  /** The content of the database file. */
  bytes: Buffer
  pageSize: number
  /** The first page of a table or an index, counted from 1. */
  rootOf(name: string): number
  remove(): Promise<void>
}

const noWhole: Whole = {
  dataDir: '',
  bytes: Buffer.alloc(0),
  pageSize: 0,
  rootOf: () => 0,
  remove: async () => undefined,
}

async function selectAll(file: string, sql: string): Promise<Record<string, unknown>[]> {
  const database = new sqlite3.Database(file)
  try {
    return await promisify<string, Record<string, unknown>[]>(database.all.bind(database))(sql)
  } finally {
    await promisify(database.close.bind(database))()
  }
}

/** Makes rows in all tables of user data, some on several pages, and free pages. */
async function fill(server: TestServer): Promise<void> {
  const ann = await buildUser(server, { username: 'ann' })
  const ben = await buildUser(server, { username: 'ben' })
  const folder = await buildFolder(ann, 'a folder')
  for (let at = 0; at < 30; at++) {
    await buildFile(ann, { name: `small ${at}.txt`, parent_id: at % 2 === 0 ? folder.id : null }, Buffer.from(`${at}`))
  }
  const { id: image } = await buildFile(ann, { name: 'large.png' }, largeContent())
  await plantThumbnail(server, image)
  const { id: trashed } = await buildFile(ben, { name: 'trashed.txt' }, Buffer.from('trashed'))
  await ben.call(trashFile, { id: trashed })
  await buildFolder(ben, 'empty')
  await buildTag(ann)
  await buildKey(server, ann, ['files:read'])
  await spoilRows(
    server,
    'CREATE TABLE filler AS SELECT randomblob(60000) AS bytes',
    'DROP TABLE filler',
    'PRAGMA wal_checkpoint(TRUNCATE)',
  )
}

/** Builds the data that tests damage. They run on SQLite only, and skip themselves on MariaDB, where nothing is built. */
export async function buildWhole(): Promise<Whole> {
  if (process.env.FILESTORE_TEST_DATABASE !== undefined) return noWhole

  const server = await startServer()
  const dataDir = await mkdtemp(join(tmpdir(), 'filestore-whole-'))
  try {
    await fill(server)
    for (const name of ['filestore.db', 'storage']) {
      await cp(join(server.dataDir, name), join(dataDir, name), { recursive: true })
    }
  } finally {
    await server.close()
  }
  const file = join(dataDir, 'filestore.db')
  const roots = await selectAll(file, 'SELECT name, rootpage FROM sqlite_schema')
  const bytes = await readFile(file)
  return {
    dataDir,
    bytes,
    pageSize: bytes.readUInt16BE(16),
    rootOf: name => Number(roots.find(row => row.name === name)?.rootpage),
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

/** Runs a function on a copy of the data with this database file. */
export async function withDamaged(
  { dataDir: whole }: Whole,
  bytes: Buffer,
  work: (site: Site) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'filestore-damaged-'))
  try {
    await cp(whole, dataDir, { recursive: true })
    await writeFile(join(dataDir, 'filestore.db'), bytes)
    await work({ dataDir, databaseFlag: undefined })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** All rows except those of the search index, which only the index itself finds; null when they cannot be read. */
async function readRows(bytes: Buffer): Promise<object | null> {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-rows-'))
  const file = join(folder, 'copy.db')
  try {
    await writeFile(file, bytes)
    const tables = await selectAll(
      file,
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'file\\_search%' ESCAPE '\\' ORDER BY name`,
    )
    const rows: [unknown, object][] = []
    for (const { name } of tables) rows.push([name, await selectAll(file, `SELECT * FROM "${name}"`)])
    return rows
  } catch {
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Tells whether every row is unchanged. */
export async function isUnchanged(whole: Whole, bytes: Buffer): Promise<boolean> {
  const rows = await readRows(bytes)
  return rows !== null && JSON.stringify(rows) === JSON.stringify(await readRows(whole.bytes))
}

/** Matches stack traces and crash reports of the runtime. */
const unfitWords = /TypeError|RangeError|Cannot |is not (?:a function|iterable)|\n\s+at /

/** Runs `fsck`, and expects a complete document, a verdict, and the matching exit code. */
export async function expectVerdict(site: Site, ...args: string[]): Promise<FsckSummary & { findings: Finding[] }> {
  const { code, stdout, stderr } = await runOn(site, ['fsck', '--json', ...args])
  expect([0, 10, 11], stderr).toContain(code)
  const document = JSON.parse(stdout) as FsckSummary & { findings: Finding[] }
  expect({ code, verdict: document.verdict }).toEqual({
    code: { ok: 0, repairable: 10, lost: 11 }[document.verdict],
    verdict: document.verdict,
  })
  for (const { name, detail } of document.findings) expect(`${name}: ${detail}`).not.toMatch(unfitWords)
  return document
}

/** Runs another command, and expects that it succeeds or ends with an error message. */
export async function expectSentence(site: Site, ...args: string[]): Promise<void> {
  const { code, stderr } = await runOn(site, args)
  if (code === 0) return
  // Notices may come before it.
  expect(stderr).toMatch(/^error: [A-Za-z'/]/m)
  expect(stderr).not.toMatch(unfitWords)
  expect(stderr).not.toMatch(/^error: SQLITE_/m)
}
