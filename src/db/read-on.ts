/** Reads a table page by page, each after the last row of the one before. Ends even if a damaged table repeats rows. */
import { type Bind, DamageError } from './connections.ts'
import type { Database } from './database.ts'

/** The values of the columns by which a table is read, in their order. */
type Key = readonly Bind[]

/** SQLite's order of different types: NULL, numbers, text, bytes (its documentation, Datatypes, section 4.1). */
const rankOf = (value: Bind): number =>
  value === null ? 0 : typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : 3

/** Returns a number below, equal to or above 0, as SQLite orders two values. */
function compare(one: Bind, other: Bind): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (one === null || other === null || rankOf(one) !== rankOf(other)) return rankOf(one) - rankOf(other)
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}

/**
 * Whether a key comes after another. On MariaDB it is enough that they differ: it orders text by its collation, and
 * detects damage by page checksums.
 */
function isBehind({ dialect }: Pick<Database, 'dialect'>, key: Key, before: Key): boolean {
  const differences = key.map((value, at) => compare(value, before[at] ?? null))
  const first = differences.find(difference => difference !== 0) ?? 0
  return dialect === 'sqlite' ? first > 0 : first !== 0
}

/**
 * Returns the key of a page's last row, after which the next page starts. Throws DamageError if that key is not after
 * the one that the page itself started at: SQLite returns a damaged row again and again, whatever the condition.
 */
export function readOnBehind<Last extends Key>(
  db: Pick<Database, 'dialect'>,
  last: Last,
  before: Key | undefined,
): Last {
  if (before === undefined || isBehind(db, last, before)) return last
  throw new DamageError(`a row that follows ${before.join('/')} calls itself ${last.join('/')}`)
}

interface Paging<Row> {
  /** Reads the first rows after a key. */
  read(after: Key): Promise<Row[]>
  keyOf(row: Row): Key
  /** A key before all rows. */
  start: Key
  /** Rows per page; a shorter page is the last. */
  size: number
}

/** Yields pages until there are no more. Throws DamageError like `readOnBehind`. */
export async function* readPages<Row>(
  db: Pick<Database, 'dialect'>,
  { read, keyOf, start, size }: Paging<Row>,
): AsyncGenerator<Row[]> {
  for (let after = start; ; ) {
    const rows = await read(after)
    const last = rows.at(-1)
    if (last === undefined) return
    const next = readOnBehind(db, keyOf(last), after)
    yield rows
    if (rows.length < size) return
    after = next
  }
}
