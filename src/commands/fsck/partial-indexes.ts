/** Counts the entries of indexes of some rows only: SQLite's check finds a row that one lacks, and no entry too many. */
import type { Database } from '../../db/database.ts'
import { findIndexedTable, type Index } from './index-entries.ts'

async function countEntries(db: Database, table: string, { name, condition }: Index): Promise<number> {
  // SQLite uses an index of some rows only for these.
  const row = await db.row<{ count: number }>(
    `SELECT COUNT(*) AS count FROM \`${table}\` INDEXED BY \`${name}\` WHERE ${condition}`,
  )
  return row?.count ?? 0
}

/** The indexes of some rows that hold another number of them than the table. Call it in a snapshot. */
export async function findMiscounted(db: Database, table: string): Promise<string[]> {
  const { rows, indexes } = await findIndexedTable(db, table)
  const partial = indexes.filter(({ condition }) => condition !== null)
  if (partial.length === 0) return []
  // One walk through the table for all of them.
  const sums = partial.map(({ condition }, n) => `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END) AS n${n}`)
  const counts = await db.row<Record<string, number | null>>(`SELECT ${sums.join(', ')} FROM ${rows}`)
  const miscounted: string[] = []
  for (const [n, index] of partial.entries()) {
    if ((await countEntries(db, table, index)) !== (counts?.[`n${n}`] ?? 0)) miscounted.push(index.name)
  }
  return miscounted
}
