/** Decodes the rows of a part. Somebody may have written the backup by hand, so the bytes may be anything. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { systemCode } from '../../base/errors.ts'
import { mostSliceRows } from '../../db/tables.ts'
import { DamagedError } from './contents.ts'

/** A row as written: bytes are still Base64. */
export type SavedRow = Record<string, string | number | null>

/**
 * The most bytes of a part, before and after its decompression; a few KB of gzip could fill the memory otherwise. The
 * largest rows that calls make are those of metadata: 64 KB for each of a thousand files, and some more for escaped
 * quotes.
 */
export const mostPartBytes = 128 * 1024 ** 2
export const tooLarge = `holds more than ${mostPartBytes / 1024 ** 2} MB of rows`

/** The most bytes of one row: JSON takes many times its bytes of memory until it is known to be a row. */
const mostRowBytes = 16 * 1024 ** 2

/** The most columns of a row, many times those of any table: each unknown one is a sentence. */
const mostColumns = 200

const decompress = promisify(gunzip)

function isRow(value: unknown): value is SavedRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const cells = Object.values(value)
  return cells.length <= mostColumns && cells.every(cell => cell === null || typeof cell !== 'object')
}

function parseRow(line: Buffer): SavedRow {
  if (line.length > mostRowBytes) throw new DamagedError(`holds a row of more than ${mostRowBytes / 1024 ** 2} MB`)
  const row: unknown = JSON.parse(line.toString())
  if (!isRow(row)) throw new DamagedError('holds no rows of a table')
  return row
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf('\n', start)
    const end = found === -1 ? bytes.length : found
    if (end > start) yield bytes.subarray(start, end)
    start = end + 1
  }
}

function parseRows(bytes: Buffer): SavedRow[] {
  const rows: SavedRow[] = []
  for (const line of linesOf(bytes)) {
    if (rows.length === mostSliceRows) throw new DamagedError(`holds more than ${mostSliceRows} rows`)
    rows.push(parseRow(line))
  }
  return rows
}

function toDamage(error: unknown): DamagedError {
  if (error instanceof DamagedError) return error
  const what = systemCode(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge : 'holds no rows of a table'
  return new DamagedError(what, error)
}

/** The rows in the bytes of a part. Throws DamagedError when they are none, or more than a backup saves in a part. */
export async function decodeRows(bytes: Buffer): Promise<SavedRow[]> {
  try {
    return parseRows(await decompress(bytes, { maxOutputLength: mostPartBytes }))
  } catch (error) {
    throw toDamage(error)
  }
}
