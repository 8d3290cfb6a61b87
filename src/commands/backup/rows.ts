/** Rows as a backup keeps them: JSON objects, one a line, gzip'd; bytes in them are Base64. Alike from every database. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Database } from '../../db/database.ts'
import { findTables, type Row, readSlices, type Table } from '../../db/tables.ts'
import { type CopyOptions, readContent, type SavedContents } from './contents.ts'
import type { Manifest, Part, TableParts } from './manifest.ts'
import type { Place } from './place.ts'

/** What signs nobody in elsewhere, is drawn anew, or is counted by triggers as the files come. */
const leftOut = new Set(['sessions', 'thumbnails', 'folder_counts', 'type_counts', 'shared_counts'])

/** Where rows are brought to, and where they are read again. */
export type RowPlace = Pick<Place, 'contents'>
export interface Saved {
  contents: SavedContents
}

const compress = promisify(gzip)
const decompress = promisify(gunzip)

function toLine(table: Table, row: Row): string {
  const fields = table.columns.map(({ name }) => [
    name,
    Buffer.isBuffer(row[name]) ? row[name].toString('base64') : row[name],
  ])
  return `${JSON.stringify(Object.fromEntries(fields))}\n`
}

async function savePart({ contents }: RowPlace, table: Table, rows: readonly Row[]): Promise<Part> {
  const bytes = await compress(rows.map(row => toLine(table, row)).join(''))
  const part = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, rows: rows.length }
  const size = await contents.size(part.sha256)
  if (size === part.size) return part
  if (size !== null) await contents.remove(part.sha256)
  await contents.put(part.sha256, piecesOf(bytes))
  return part
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function saveTable(
  db: Database,
  place: RowPlace,
  table: Table,
  { signal, onBytes }: CopyOptions,
): Promise<TableParts> {
  const saved: TableParts = { name: table.name, rows: 0, last_id: table.lastId, parts: [] }
  for await (const rows of readSlices(db, table)) {
    signal.throwIfAborted()
    const part = await savePart(place, table, rows)
    saved.parts.push(part)
    onBytes(part.size)
    saved.rows += rows.length
  }
  return saved
}

/** Saves all rows as they are at one moment, whatever is written meanwhile; gives back where they are. */
export const saveRows = (db: Database, place: RowPlace, options: CopyOptions): Promise<TableParts[]> =>
  db.snapshot(async () => {
    const tables = (await findTables(db)).filter(({ name }) => !leftOut.has(name))
    const saved: TableParts[] = []
    for (const table of tables) saved.push(await saveTable(db, place, table, options))
    return saved
  })

/** A row as it was written: what is bytes on the database is still Base64. */
type SavedRow = Record<string, string | number | null>

/** The rows of a part. Throws DamagedError where it is not what was saved. */
export async function readPart({ contents }: Saved, part: Part): Promise<SavedRow[]> {
  const bytes = await buffer(readContent(contents, part.sha256, part))
  const lines = (await decompress(bytes)).toString().split('\n')
  return lines.filter(line => line !== '').map(line => JSON.parse(line))
}

/** All parts of a table; none where the snapshot has no such table. */
export const partsOf = ({ tables }: Pick<Manifest, 'tables'>, name: string): Part[] =>
  tables.find(table => table.name === name)?.parts ?? []

/** A row for the table that it goes into. */
export function toRow(table: Table, saved: SavedRow): Row {
  const row: Row = { ...saved }
  for (const { name, isBytes } of table.columns) {
    if (isBytes && typeof row[name] === 'string') row[name] = Buffer.from(row[name], 'base64')
  }
  return row
}

/** Content that lies in the server's store, as its row tells of it. */
export interface BlobRow {
  id: number
  key: string
  size: number
  sha256: string
}

/** The contents of a snapshot that lie outside of its rows, in slices. Throws as `readPart`. */
export async function* readBlobs(place: Saved, parts: readonly Part[]): AsyncGenerator<BlobRow[]> {
  for (const part of parts) {
    const rows = await readPart(place, part)
    yield rows.filter(row => row.place === 'store') as unknown as BlobRow[]
  }
}
