/** Rows as a backup keeps them: JSON objects, one a line, gzip'd; bytes in them are Base64. Alike from every database. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { driverError, StatementError } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { findTables, type Row, readSlices, type Table } from '../../db/tables.ts'
import { type CopyOptions, DamagedError, readContent, type SavedContents } from './contents.ts'
import type { Manifest, Part, TableParts } from './manifest.ts'
import type { Place } from './place.ts'

/** What signs nobody in elsewhere, is drawn anew, or is counted by triggers as the files come. */
const leftOut = new Set(['sessions', 'space_thumbnails', 'folder_counts', 'type_counts', 'shared_counts'])

/** Where rows are brought to, and where they are read again. */
export type RowPlace = Pick<Place, 'contents'>
export interface Saved {
  contents: SavedContents
}

const compress = promisify(gzip)
const decompress = promisify(gunzip)

function toLine(table: Table, row: Row): string {
  const fields = table.columns.map(({ name, isBytes }) => [
    name,
    Buffer.isBuffer(row[name]) ? row[name].toString(isBytes ? 'base64' : 'utf8') : row[name],
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

/** The rows of a table, in the order of its key. */
export type Slices = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>

/** Whoever looks at rows while they are saved. */
interface Looks<Seen> {
  /** Told of the rows of each part. */
  onRows(table: string, rows: readonly Row[]): void
  /** Told of a table that cannot be read to its end. */
  onCut(table: string, error: Error): void
  /** Gets the rows of a table as they are saved, for to read the contents among them twice takes twice as long. */
  look(slicesOf: (name: string) => Slices): Promise<Seen>
}

/** The rows of a table as far as SQLite can read its file: a backup without the rest is better than none. */
async function* readWhatIsThere(db: Database, table: Table, onCut: Looks<unknown>['onCut']): AsyncGenerator<Row[]> {
  try {
    yield* readSlices(db, table)
  } catch (error) {
    if (!(error instanceof StatementError) || driverError(error).code !== 'SQLITE_CORRUPT') throw error
    onCut(table.name, error)
  }
}

/** Saves the rows of a table, and tells of them in `saved`; each slice passes on once it is there. */
async function* saveTable(
  db: Database,
  place: RowPlace,
  { table, saved }: { table: Table; saved: TableParts },
  { signal, onBytes, onRows, onCut }: CopyOptions & Pick<Looks<unknown>, 'onRows' | 'onCut'>,
): AsyncGenerator<Row[]> {
  for await (const rows of readWhatIsThere(db, table, onCut)) {
    signal.throwIfAborted()
    onRows(table.name, rows)
    const part = await savePart(place, table, rows)
    saved.parts.push(part)
    onBytes(part.size)
    saved.rows += rows.length
    yield rows
  }
}

async function drain(slices: AsyncGenerator<Row[]>): Promise<void> {
  while (!(await slices.next()).done);
}

/** The tables that a backup keeps. */
export const findSavedTables = async (db: Database): Promise<Table[]> =>
  (await findTables(db)).filter(({ name }) => !leftOut.has(name))

/** Saves all rows, inside a snapshot of the database; gives back where they are, and what `look` makes of some. */
export async function saveRows<Seen>(
  db: Database,
  place: RowPlace,
  options: CopyOptions,
  { look, ...told }: Looks<Seen>,
): Promise<{ tables: TableParts[]; seen: Seen }> {
  const savings = (await findSavedTables(db)).map(table => {
    // A damaged one is counted anew from the rows.
    const last_id = Number.isSafeInteger(table.lastId) ? table.lastId : null
    const saved: TableParts = { name: table.name, rows: 0, last_id, parts: [] }
    return { saved, slices: saveTable(db, place, { table, saved }, { ...options, ...told }) }
  })
  const seen = await look(name => savings.find(({ saved }) => saved.name === name)?.slices ?? [])
  // `look` may have left some of its own tables as well.
  for (const { slices } of savings) await drain(slices)
  return { tables: savings.map(({ saved }) => saved), seen }
}

/** A row as it was written: what is bytes on the database is still Base64. */
export type SavedRow = Record<string, string | number | null>

async function readWhole({ contents }: Saved, part: Part): Promise<Buffer> {
  try {
    return await buffer(readContent(contents, part.sha256, part))
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    throw new DamagedError(`blobs/${part.sha256} ${error.message}`, error)
  }
}

/** The rows of a part. Throws DamagedError, which names the part, where it is not what was saved. */
export async function readPart(saved: Saved, part: Part): Promise<SavedRow[]> {
  const bytes = await readWhole(saved, part)
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

/** Content as its row tells of it. */
export interface BlobRow {
  id: number
  key: string
  size: number
  sha256: string
}

/** Those of the rows that tell of content; a row that is damaged so that it does not is told as one. */
export function toBlobRows(rows: readonly Row[], place: 'store' | 'inline'): BlobRow[] {
  return rows.flatMap(({ id, key, size, sha256, ...row }) => {
    if (row.place !== place || typeof id !== 'number' || typeof size !== 'number') return []
    return typeof key === 'string' && typeof sha256 === 'string' ? [{ id, key, size, sha256 }] : []
  })
}

/** The contents of a snapshot that lie outside of its rows, or those among them, in slices. Throws as `readPart`. */
export async function* readBlobs(
  saved: Saved,
  parts: readonly Part[],
  place: 'store' | 'inline' = 'store',
): AsyncGenerator<BlobRow[]> {
  for (const part of parts) yield toBlobRows(await readPart(saved, part), place)
}

/** A small content's bytes. */
export interface InlineBytes {
  blob_id: number
  bytes: Buffer
}

/** The contents among the rows of a snapshot, in slices. Throws as `readPart`. */
export async function* readInlineBytes(saved: Saved, parts: readonly Part[]): AsyncGenerator<InlineBytes[]> {
  for (const part of parts) {
    const rows = await readPart(saved, part)
    yield rows.flatMap(({ blob_id, bytes }) =>
      typeof bytes === 'string' ? [{ blob_id: Number(blob_id), bytes: Buffer.from(bytes, 'base64') }] : [],
    )
  }
}
