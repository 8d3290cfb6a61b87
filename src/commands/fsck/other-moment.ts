/**
 * Rows and indexes of different moments, as a disk leaves them that has lost a write: SQLite's check sees that an index
 * and its table differ, but not which of the two is right. If all indexes agree against the table, the table is wrong.
 */
import type { Database } from '../../db/database.ts'

/** An index as its definition says. */
interface Index {
  name: string
  /** The condition of an index of some rows only; empty for one of all rows. */
  where: string
}

async function findIndexes(db: Database, table: string): Promise<Index[]> {
  const rows = await db.rows<{ name: string; sql: string | null }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = $1 ORDER BY name",
    [table],
  )
  return rows.map(({ name, sql }) => ({ name, where: /\bWHERE\b.*$/is.exec(sql ?? '')?.[0] ?? '' }))
}

async function count(db: Database, table: string, how: string): Promise<number> {
  const row = await db.row<{ count: number }>(`SELECT COUNT(*) AS count FROM \`${table}\` ${how}`)
  return row?.count ?? 0
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
  const whole = (await findIndexes(db, table)).filter(({ where }) => where === '')
  const rows = await count(db, table, 'NOT INDEXED')
  const named = await Promise.all(whole.map(({ name }) => count(db, table, `INDEXED BY \`${name}\``)))
  const [entries = 0, ...others] = named
  if (entries === 0 || others.some(other => other !== entries)) return { lost: 0, revived: 0 }
  return { lost: Math.max(0, entries - rows), revived: others.length === 0 ? 0 : Math.max(0, rows - entries) }
}

/** The indexes of some rows that hold another number of them than the table, which SQLite's check does not count. */
export async function findMiscounted(db: Database, table: string): Promise<string[]> {
  const miscounted: string[] = []
  for (const { name, where } of await findIndexes(db, table)) {
    if (where === '') continue
    const [held, rows] = [
      await count(db, table, `INDEXED BY \`${name}\` ${where}`),
      await count(db, table, `NOT INDEXED ${where}`),
    ]
    if (held !== rows) miscounted.push(name)
  }
  return miscounted
}
