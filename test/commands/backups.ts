/** Backs up test servers and restores them elsewhere, as an administrator would. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import { openLocalStore } from '../../src/blobs/local.ts'
import type { Backup } from '../../src/commands/backup/backup.ts'
import type { SavedRow } from '../../src/commands/backup/decode-rows.ts'
import { formatManifest, type Manifest } from '../../src/commands/backup/manifest.ts'
import type { Restored } from '../../src/commands/backup/restore.ts'
import { readConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { startServer } from '../support/server.ts'
import { createDatabase, type TestServer } from '../support/test-server.ts'
import { runOn, spawnOn } from './administration.ts'

/** The location of a server's data, for the flags of commands. */
export type Site = Pick<TestServer, 'dataDir' | 'databaseFlag'>

/** Makes a folder, and deletes it when the test ends; `/dev/shm` is another disk than the temporary folder. */
export async function openFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'filestore-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Makes an empty location to restore into, on the database under test, or always on SQLite. */
export async function openSite(onSqlite = false): Promise<Site> {
  const database = onSqlite ? { flag: undefined, drop: async () => undefined } : await createDatabase()
  onTestFinished(database.drop)
  return { dataDir: await openFolder(), databaseFlag: database.flag }
}

/** Starts a server on restored data; when the test ends, that server deletes them. */
export async function serveSite({ dataDir, databaseFlag }: Site): Promise<TestServer> {
  const server = await startServer({ dataDir, database: databaseFlag, storage: join(dataDir, 'storage') })
  onTestFinished(() => server.close())
  return server
}

async function readJson<Result>(site: Site, args: readonly string[], run = runOn): Promise<Result> {
  const { code, stdout, stderr } = await run(site, [...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

export const backUp = (site: Site, place: string, ...args: string[]): Promise<Backup> =>
  readJson(site, ['backup', place, ...args])

/** Backs up in a process of its own, so that the test's server continues meanwhile. */
export const spawnBackUp = (site: Site, place: string): Promise<Backup> => readJson(site, ['backup', place], spawnOn)

export const restore = (place: string, site: Site, ...args: string[]): Promise<Restored> =>
  readJson(site, ['restore', place, ...args])

/** The number of contents that were copied; the file system decides whether a copy shares blocks. */
export const countCopies = ({ outcomes }: Pick<Backup, 'outcomes'>): number => outcomes.copied + outcomes.reflinked

export const listSnapshots = async (folder: string): Promise<string[]> =>
  (await readdir(join(folder, 'snapshots'))).map(name => name.replace(/\.json$/, '')).sort()

export async function readManifest(folder: string, snapshot?: string): Promise<Manifest> {
  const name = snapshot ?? (await listSnapshots(folder)).at(-1)
  return JSON.parse(await readFile(join(folder, 'snapshots', `${name}.json`), 'utf8'))
}

/** The path of a content in a backup. */
export const contentPath = (folder: string, sha256: string): string => join(folder, 'blobs', sha256.slice(0, 2), sha256)

/** The new bytes of a part, and how many rows it tells of if that has changed. */
interface Changed {
  bytes: Buffer
  rows?: number
}

/** Changes the parts of a folder's only snapshot and what the manifest tells of them. */
async function rewrite(folder: string, change: (table: string, bytes: Buffer) => Changed): Promise<void> {
  const { digest: _digest, ...manifest } = { digest: '', ...(await readManifest(folder)) }
  for (const table of manifest.tables) {
    const { name, parts } = table
    for (const part of parts) {
      const { bytes, rows = part.rows } = change(name, await readFile(contentPath(folder, part.sha256)))
      part.sha256 = createHash('sha256').update(bytes).digest('hex')
      part.size = bytes.length
      part.rows = rows
      await mkdir(dirname(contentPath(folder, part.sha256)), { recursive: true })
      await writeFile(contentPath(folder, part.sha256), bytes)
    }
    table.rows = parts.reduce((sum, { rows }) => sum + rows, 0)
  }
  await writeFile(join(folder, 'snapshots', `${manifest.snapshot}.json`), formatManifest(manifest))
}

/** Changes the parts of a folder's only snapshot and their hashes, as somebody would who writes backups by hand. */
export const rewriteParts = (folder: string, change: (table: string, bytes: Buffer) => Buffer): Promise<void> =>
  rewrite(folder, (table, bytes) => ({ bytes: change(table, bytes) }))

/** Adds a table with one part to a folder's only snapshot. */
export async function addTable(folder: string, name: string, bytes: Buffer, rows: number): Promise<void> {
  const { digest: _digest, ...manifest } = { digest: '', ...(await readManifest(folder)) }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await mkdir(dirname(contentPath(folder, sha256)), { recursive: true })
  await writeFile(contentPath(folder, sha256), bytes)
  manifest.tables.push({ name, rows, last_id: null, parts: [{ sha256, size: bytes.length, rows }] })
  await writeFile(join(folder, 'snapshots', `${manifest.snapshot}.json`), formatManifest(manifest))
}

/** Changes the saved rows of a folder's only snapshot, like `rewriteParts`. */
export const rewriteRows = (folder: string, change: (table: string, rows: SavedRow[]) => SavedRow[]): Promise<void> =>
  rewrite(folder, (table, bytes) => {
    const lines = gunzipSync(bytes).toString().trim().split('\n')
    const changed = change(
      table,
      lines.map(line => JSON.parse(line)),
    )
    return { bytes: gzipSync(changed.map(row => `${JSON.stringify(row)}\n`).join('')), rows: changed.length }
  })

/** The SHA-256 of all contents in a backup folder. */
export async function listContents(folder: string): Promise<string[]> {
  const found = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
  return found.filter(entry => entry.isFile()).map(({ name }) => name)
}

export async function withDatabaseOf<Result>(site: Site, read: (db: Database) => Promise<Result>): Promise<Result> {
  const { database } = readConfig({ dataDir: site.dataDir, database: site.databaseFlag })
  const db = await openDatabase(database)
  try {
    return await read(db)
  } finally {
    await db.close()
  }
}

interface ContentRow {
  name: string
  place: 'inline' | 'store'
  key: string
  size: number
  sha256: string
  bytes: Buffer | null
}

/** Reads all files of a site by name, and checks their size and SHA-256 and the sums in the counters. */
export function readWhole(site: Site): Promise<Map<string, Buffer>> {
  return withDatabaseOf(site, async db => {
    const store = await openLocalStore(join(site.dataDir, 'storage'))
    const rows = await db.rows<ContentRow>(
      `SELECT f.name, b.place, b.\`key\`, b.size, b.sha256, y.bytes FROM files f JOIN blobs b ON b.id = f.blob_id
       LEFT JOIN blob_bytes y ON y.blob_id = b.id`,
    )
    const files = new Map<string, Buffer>()
    for (const { name, place, key, size, sha256, bytes } of rows) {
      const content = place === 'inline' ? (bytes ?? Buffer.alloc(0)) : await buffer(await store.read(key))
      const found = { name, size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
      expect(found).toEqual({ name, size, sha256 })
      files.set(name, content)
    }
    expect(await db.rows(miscounts)).toEqual([])
    return files
  })
}

/** Spaces whose counters, or those of their folders and types, differ from the sums over the rows. */
const miscounts = `
  SELECT s.id FROM spaces s
  WHERE s.storage_used <> (SELECT COALESCE(SUM(f.size), 0) FROM files f WHERE f.space_id = s.id)
    OR s.item_count <> (SELECT COUNT(*) FROM files f WHERE f.space_id = s.id)
    OR (SELECT COALESCE(SUM(c.items), 0) FROM folder_counts c WHERE c.space_id = s.id)
      <> (SELECT COUNT(*) FROM files f WHERE f.space_id = s.id AND f.deleted_at IS NULL)
    OR (SELECT COALESCE(SUM(c.bytes), 0) FROM type_counts c WHERE c.space_id = s.id)
      <> (SELECT COALESCE(SUM(f.size), 0) FROM files f
        WHERE f.space_id = s.id AND f.deleted_at IS NULL AND f.trash_root_id IS NULL)`
