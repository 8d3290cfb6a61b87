/** The rows of a backup: JSON objects, one per line, gzipped; bytes are Base64. The same for every database. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { driverError, StatementError } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { isOwnTable, type Row, readSlices, type Table } from '../../db/tables.ts'
import { type CopyOptions, DamagedError, isWhole, readContent, type SavedContents } from './contents.ts'
import { decodeRows, mostPartBytes, type SavedRow, tooLarge } from './decode-rows.ts'
import type { Manifest, Part, TableParts } from './manifest.ts'
import type { Place } from './place.ts'

/**
 * Tables left out: sessions, the visits of links, unfinished uploads and nodes are useless elsewhere, and the others are
 * recreated or counted by triggers. `thumbnails` is of an older filestore.
 */
const leftOut = new Set([
  ...['sessions', 'link_visits', 'uploads', 'nodes', 'thumbnails', 'space_thumbnails', 'file_thumbnails'],
  ...['folder_counts', 'type_counts', 'shared_counts'],
])

/** Whether a table that the migrations make belongs into a backup. */
export const isSaved = (name: string): boolean => isOwnTable(name) && !leftOut.has(name)

/** Where rows are written and read back. */
export type RowPlace = Pick<Place, 'contents'>
export interface Saved {
  contents: SavedContents
}

const compress = promisify(gzip)

/** Bytes as Base64. SQLite may keep them as text, which spells them. */
function toField(value: Row[string] | undefined, isBytes: boolean) {
  if (isBytes && typeof value === 'string') return Buffer.from(value).toString('base64')
  return Buffer.isBuffer(value) ? value.toString(isBytes ? 'base64' : 'utf8') : value
}

function toLine(table: Table, row: Row): string {
  const fields = table.columns.map(({ name, isBytes }) => [name, toField(row[name], isBytes)])
  return `${JSON.stringify(Object.fromEntries(fields))}\n`
}

async function savePart({ contents }: RowPlace, table: Table, rows: readonly Row[]): Promise<Part> {
  const bytes = await compress(rows.map(row => toLine(table, row)).join(''))
  const part = { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, rows: rows.length }
  if (await isWhole(contents, part.sha256, part)) return part
  // Something else may stand there: damaged bytes, or a pipe or a link, which would refuse the part.
  await contents.remove(part.sha256)
  await contents.put(part.sha256, piecesOf(bytes))
  return part
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** The rows of a table, in key order. */
export type Slices = Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>

/** Callbacks that see rows while they are saved. */
interface Looks<Seen> {
  /** Called with the rows of each part. */
  onRows(table: Table, rows: readonly Row[]): Promise<void>
  /** Called for a table that cannot be read completely. */
  onCut(table: string, error: Error): void
  /**
   * Gets the rows of a table while they are saved, because reading the contents in them twice would take twice as long.
   */
  look(slicesOf: (name: string) => Slices): Promise<Seen>
}

/** The rows of a table as far as SQLite can read its file: a partial backup is better than none. */
async function* readWhatIsThere(db: Database, table: Table, onCut: Looks<unknown>['onCut']): AsyncGenerator<Row[]> {
  try {
    yield* readSlices(db, table)
  } catch (error) {
    if (!(error instanceof StatementError) || driverError(error).code !== 'SQLITE_CORRUPT') throw error
    onCut(table.name, error)
  }
}

/** Saves the rows of a table and records them in `saved`; yields each slice after saving it. */
async function* saveTable(
  db: Database,
  place: RowPlace,
  { table, saved }: { table: Table; saved: TableParts },
  { signal, onBytes, onRows, onCut }: CopyOptions & Pick<Looks<unknown>, 'onRows' | 'onCut'>,
): AsyncGenerator<Row[]> {
  for await (const rows of readWhatIsThere(db, table, onCut)) {
    signal.throwIfAborted()
    await onRows(table, rows)
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

/** Saves all rows of some tables inside a snapshot of the database; returns where they are, and the result of `look`. */
export async function saveRows<Seen>(
  db: Database,
  place: RowPlace,
  from: readonly Table[],
  options: CopyOptions,
  { look, ...told }: Looks<Seen>,
): Promise<{ tables: TableParts[]; seen: Seen }> {
  const savings = from.map(table => {
    // A damaged counter is computed again from the rows.
    const last_id = Number.isSafeInteger(table.lastId) ? table.lastId : null
    const saved: TableParts = { name: table.name, rows: 0, last_id, parts: [] }
    return { saved, slices: saveTable(db, place, { table, saved }, { ...options, ...told }) }
  })
  const seen = await look(name => savings.find(({ saved }) => saved.name === name)?.slices ?? [])
  // Read to the end what `look` has not consumed, even of its own tables.
  for (const { slices } of savings) await drain(slices)
  return { tables: savings.map(({ saved }) => saved), seen }
}

/** The bytes of a part. Asks for their number before it holds them in memory. */
async function readWhole({ contents }: Saved, part: Part): Promise<Buffer> {
  const size = await contents.size(part.sha256)
  if (size !== null && size !== part.size) throw new DamagedError(`has ${size} bytes instead of ${part.size}`)
  if (part.size > mostPartBytes) throw new DamagedError(tooLarge)
  return buffer(readContent(contents, part.sha256, part))
}

/** The rows of a part. Throws DamagedError, without the part's name, when they are not what a backup saves. */
export async function readRows(saved: Saved, part: Part): Promise<SavedRow[]> {
  const rows = await decodeRows(await readWhole(saved, part))
  if (rows.length !== part.rows) throw new DamagedError(`has ${rows.length} rows instead of ${part.rows}`)
  return rows
}

/** Like `readRows`, with the part's name in the error. */
export async function readPart(saved: Saved, part: Part): Promise<SavedRow[]> {
  try {
    return await readRows(saved, part)
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    throw new DamagedError(`blobs/${part.sha256} ${error.message}`, error)
  }
}

/** All parts of a table; empty when the snapshot has no such table. */
export const partsOf = ({ tables }: Pick<Manifest, 'tables'>, name: string): Part[] =>
  tables.find(table => table.name === name)?.parts ?? []

/** Converts a saved row for its table. */
export function toRow(table: Table, saved: SavedRow): Row {
  const row: Row = { ...saved }
  for (const { name, isBytes } of table.columns) {
    if (isBytes && typeof row[name] === 'string') row[name] = Buffer.from(row[name], 'base64')
  }
  return row
}

/** A content as its row describes it. */
export interface BlobRow {
  id: number
  key: string
  size: number
  sha256: string
}

/** The rows that describe contents. Rows too damaged for that are skipped here and reported as rows. */
export function toBlobRows(rows: readonly Row[], place: 'store' | 'inline'): BlobRow[] {
  return rows.flatMap(({ id, key, size, sha256, ...row }) => {
    if (row.place !== place || typeof id !== 'number' || typeof size !== 'number') return []
    return typeof key === 'string' && typeof sha256 === 'string' ? [{ id, key, size, sha256 }] : []
  })
}

/** The contents of a snapshot, outside its rows or in them, in slices. Throws as `readPart`. */
export async function* readBlobs(
  saved: Saved,
  parts: readonly Part[],
  place: 'store' | 'inline' = 'store',
): AsyncGenerator<BlobRow[]> {
  for (const part of parts) yield toBlobRows(await readPart(saved, part), place)
}

/** The bytes of a small content. */
export interface InlineBytes {
  blob_id: number
  bytes: Buffer
}

/** The small contents in a snapshot's rows, in slices. Throws as `readPart`. */
export async function* readInlineBytes(saved: Saved, parts: readonly Part[]): AsyncGenerator<InlineBytes[]> {
  for (const part of parts) {
    const rows = await readPart(saved, part)
    yield rows.flatMap(({ blob_id, bytes }) =>
      typeof bytes === 'string' ? [{ blob_id: Number(blob_id), bytes: Buffer.from(bytes, 'base64') }] : [],
    )
  }
}
