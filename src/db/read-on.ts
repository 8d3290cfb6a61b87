/** Reads a table page by page, each behind the last row of the one before, and ends where a damaged table would not. */
import { type Bind, DamageError } from './connections.ts'
import type { Database } from './database.ts'

/** By what a table is read: the values of some columns, in their order. */
type Key = readonly Bind[]

/** SQLite's order of what is not of one type: NULL, numbers, text, bytes (its documentation, Datatypes, section 4.1). */
const rankOf = (value: Bind): number =>
  value === null ? 0 : typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : 3

/** Below 0, 0 or above it, as SQLite orders two values. */
function compare(one: Bind, other: Bind): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (one === null || other === null || rankOf(one) !== rankOf(other)) return rankOf(one) - rankOf(other)
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}

/** MariaDB orders text by its collation, and checks each page by its sum: there it is enough that two keys differ. */
function isBehind({ dialect }: Pick<Database, 'dialect'>, key: Key, before: Key): boolean {
  const differences = key.map((value, at) => compare(value, before[at] ?? null))
  const first = differences.find(difference => difference !== 0) ?? 0
  return dialect === 'sqlite' ? first > 0 : first !== 0
}

/**
 * Gives back the key of a page's last row, behind which the next page begins. Throws DamageError where it is not behind
 * the key that the page itself began at: SQLite finds a damaged row again and again, whatever it is asked for.
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
  /** Reads the first rows behind a key. */
  read(after: Key): Promise<Row[]>
  keyOf(row: Row): Key
  /** Before all rows. */
  start: Key
  /** Rows of a page; a page of fewer is the last. */
  size: number
}

/** Pages until there is none. Throws DamageError as `readOnBehind`. */
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
