/**
 * Rows and indexes of different moments, as a disk leaves them that has lost a write: SQLite's check sees that an index
 * and its table differ, but not which of the two is right. If all indexes agree against the table, the table is wrong.
 */
import type { Database } from '../../db/database.ts'

/** An index as its definition says. */
interface Index {
  name: string
  /** The condition of an index of some rows only; null for one of all rows. */
  condition: string | null
}

async function findIndexes(db: Database, table: string): Promise<Index[]> {
  const rows = await db.rows<{ name: string; sql: string | null }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = $1 ORDER BY name",
    [table],
  )
  return rows.map(({ name, sql }) => ({ name, condition: /\bWHERE\b(.*)$/is.exec(sql ?? '')?.[1] ?? null }))
}

async function countEntries(db: Database, table: string, { name, condition }: Index): Promise<number> {
  // SQLite uses an index of some rows only for these.
  const where = condition === null ? '' : `WHERE ${condition}`
  const row = await db.row<{ count: number }>(
    `SELECT COUNT(*) AS count FROM \`${table}\` INDEXED BY \`${name}\` ${where}`,
  )
  return row?.count ?? 0
}

/** Counts the rows of a table that belong into each of some indexes, in one walk through the table. */
async function countRows(db: Database, table: string, indexes: readonly Index[]): Promise<number[]> {
  const sums = indexes.map(({ condition }, n) => `SUM(CASE WHEN ${condition ?? '1'} THEN 1 ELSE 0 END) AS n${n}`)
  const row = await db.row<Record<string, number | null>>(`SELECT ${sums.join(', ')} FROM \`${table}\` NOT INDEXED`)
  return indexes.map((_index, n) => row?.[`n${n}`] ?? 0)
}

/** The indexes of a table of all or of some rows, with their entries and the rows that belong there, at one moment. */
async function compare(db: Database, table: string, isOfAll: boolean) {
  return db.snapshot(async () => {
    const indexes = (await findIndexes(db, table)).filter(({ condition }) => (condition === null) === isOfAll)
    if (indexes.length === 0) return []
    const rows = await countRows(db, table, indexes)
    const compared: { name: string; entries: number; rows: number }[] = []
    for (const [n, index] of indexes.entries()) {
      compared.push({ name: index.name, entries: await countEntries(db, table, index), rows: rows[n] ?? 0 })
    }
    return compared
  })
}

/** What all indexes of a table say against it, in numbers of rows. */
interface Difference {
  /** Rows that they name and that are gone. */
  lost: number
  /** Rows that none of them names: they had been deleted. */
  revived: number
}

/**
 * Compares a table with its indexes. They say something against it only if all have the same number of entries, and some:
 * a single index that lacks rows may itself be wrong.
 */
export async function compareWithIndexes(db: Database, table: string): Promise<Difference> {
  const [first, ...others] = await compare(db, table, true)
  if (first === undefined || first.entries === 0) return { lost: 0, revived: 0 }
  const { entries, rows } = first
  if (others.some(other => other.entries !== entries)) return { lost: 0, revived: 0 }
  return { lost: Math.max(0, entries - rows), revived: others.length === 0 ? 0 : Math.max(0, rows - entries) }
}

/** The indexes of some rows that hold another number of them than the table, which SQLite's check does not count. */
export const findMiscounted = async (db: Database, table: string): Promise<string[]> =>
  (await compare(db, table, false)).filter(({ entries, rows }) => entries !== rows).map(({ name }) => name)
