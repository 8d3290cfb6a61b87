/** Takes the safe side about rows (safe-sides.ts). */
import { endSessions } from '../../access/sessions.ts'
import type { Bind } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import type { Recorder } from '../../db/recorder.ts'
import type { Row } from '../../db/tables.ts'
import { separate } from './doubled-rows.ts'
import type { IndexedTable } from './index-entries.ts'
import { recordRepair } from './rows.ts'
import type { SafeSide } from './safe-sides.ts'
import { sidesBeside } from './stale-pages.ts'
import type { Disagreement } from './unclear-rows.ts'

/** The rows of a table that a condition finds; `values` are bound from `$1` on. */
interface Found {
  table: string
  where: string
  values: readonly Bind[]
}

/** The row of a key. */
export const rowOf = ({ name, key }: Pick<IndexedTable, 'name' | 'key'>, values: readonly Bind[]): Found => ({
  table: name,
  where: key.map((column, n) => `\`${column}\` = $${n + 1}`).join(' AND '),
  values,
})

/** Changes rows, or deletes them if `set` is null; returns how many. */
export function changeRows(db: Database, { table, where, values }: Found, set: Row | null): Promise<number> {
  if (set === null) return db.change(`DELETE FROM \`${table}\` WHERE ${where}`, values)
  const columns = Object.keys(set).map((column, n) => `\`${column}\` = $${values.length + n + 1}`)
  return db.change(`UPDATE \`${table}\` SET ${columns.join(', ')} WHERE ${where}`, [...values, ...Object.values(set)])
}

async function takeSide(db: Database, found: Found, { set }: SafeSide, record: Recorder): Promise<void> {
  const row = await db.row<Row>(`SELECT * FROM \`${found.table}\` WHERE ${found.where}`, found.values)
  if (row === undefined) return
  await changeRows(db, found, set)
  if (found.table === 'users') await endSessions(db, Number(row.id), null)
  recordRepair(record, found.table, row, Object.keys(set ?? row))
}

/**
 * Takes the safe side about each row that a table's indexes contradict, and leaves one of those that a UNIQUE index
 * forbids. Call it in the write that builds the indexes anew.
 */
export async function takeSafeSides(db: Database, found: Disagreement, record: Recorder): Promise<void> {
  const { table, rows, doubled, beside } = found
  for (const { key, sides } of rows) {
    for (const side of sides ?? []) await takeSide(db, rowOf(table, key), side, record)
  }
  for (const row of beside.rows) {
    for (const side of sidesBeside(table.name, row)) await takeSide(db, rowOf(table, row.key), side, record)
  }
  await separate(db, table, doubled, record)
}
