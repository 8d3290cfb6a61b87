/**
 * Rows that an index of the backed-up database contradicts. A restored table has new indexes, which agree with its rows, so
 * the snapshot names them, and a restore takes the safe side about them, as `fsck --repair` does in the database itself.
 */
import * as z from 'zod/mini'
import type { Bind } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { isDamage } from '../../db/failures.ts'
import { findTables, type Table } from '../../db/tables.ts'
import { findSafeSides, type SafeSide, wholeSideOf } from '../fsck/safe-sides.ts'
import { changeRows, rowOf } from '../fsck/take-sides.ts'
import { findDisagreement } from '../fsck/unclear-rows.ts'
import { addProblems, type Problems } from './problems.ts'

const unclearRow = z.object({
  /** The values of the table's key, in its order. */
  key: z.array(z.union([z.string(), z.int()])),
  /** What is unclear; empty for whether the row is there at all. */
  columns: z.array(z.string()),
})

export const unclearTable = z.object({
  name: z.string(),
  /** Null: too many to be told one by one, or nobody knows which. */
  rows: z.nullable(z.array(unclearRow)),
})

type UnclearRow = z.infer<typeof unclearRow>
export type UnclearTable = z.infer<typeof unclearTable>

const isKey = (value: Bind): value is string | number => typeof value === 'string' || Number.isSafeInteger(value)

/**
 * What is unclear in an SQLite table that its indexes contradict, or of which one cannot be read; null if that gives nobody
 * access. Call it in a snapshot.
 */
export async function findUnclear(db: Database, name: string): Promise<UnclearTable | null> {
  try {
    const { rows, isCut, beside } = await findDisagreement(db, name)
    const unclear = [...rows.filter(({ sides }) => sides === null || sides.length > 0), ...beside.rows]
    if (isCut || unclear.some(({ key }) => !key.every(isKey))) return { name, rows: null }
    const told = unclear.map(({ key, columns }) => ({ key: key.filter(isKey), columns: [...columns] }))
    return told.length === 0 ? null : { name, rows: told }
  } catch (error) {
    // What cannot be read may have said it.
    if (isDamage(error)) return wholeSideOf(name) === undefined ? null : { name, rows: null }
    throw error
  }
}

/** Rows that are told one by one. */
const mostTold = 100

const titleOf = (name: string, { key, columns }: UnclearRow): string => {
  const what = columns.length === 0 ? 'it' : `its ${columns.join(', ')}`
  return `table ${name}, row ${key.join('/')}: ${what} may be of another moment, as an index tells`
}

/** What a restore will do, one sentence each. */
export function tellUnclear({ name, rows }: UnclearTable): string[] {
  if (rows === null) {
    const side = wholeSideOf(name)
    const outcome = side === undefined ? 'takes them as they are' : `takes the safe side about each: ${side.outcome}`
    return [
      `table ${name}: its indexes say something else about too many rows, or cannot be read, and a restore ${outcome}`,
    ]
  }
  return rows.slice(0, mostTold).map(row => {
    const outcomes = (findSafeSides(name, row.columns) ?? []).map(({ outcome }) => outcome)
    return `${titleOf(name, row)}, and a restore ${outcomes.length === 0 ? 'takes it as it is' : `takes the safe side: ${outcomes.join(', and ')}`}`
  })
}

/** Whether a table, which may be an older filestore's, has the columns of a safe side. */
const hasColumns =
  ({ columns }: Table) =>
  ({ set }: SafeSide): boolean =>
    Object.keys(set ?? {}).every(column => columns.some(({ name }) => name === column))

async function settleRow(db: Database, table: Table, row: UnclearRow): Promise<string> {
  const outcomes: string[] = []
  for (const side of (findSafeSides(table.name, row.columns) ?? []).filter(hasColumns(table))) {
    if ((await changeRows(db, rowOf(table, row.key), side.set)) > 0) outcomes.push(side.outcome)
  }
  return `${titleOf(table.name, row)}; ${outcomes.length === 0 ? 'taken as it is' : `so ${outcomes.join(', and ')}`}`
}

async function settleTable(db: Database, table: Table): Promise<string> {
  const side = wholeSideOf(table.name)
  const title = `table ${table.name}: its indexes say something else about too many rows, or cannot be read`
  if (side === undefined || !hasColumns(table)(side)) return `${title}; taken as it is`
  const count = await changeRows(db, { table: table.name, where: '1 = 1', values: [] }, side.set)
  return `${title}, so of each of its rows (${count}): ${side.outcome}`
}

/** Takes the safe side about what a snapshot names as unclear, in the restored rows; `problems` gets what was done. */
export async function settleUnclear(db: Database, unclear: readonly UnclearTable[], problems: Problems): Promise<void> {
  if (unclear.length === 0) return
  const tables = new Map((await findTables(db)).map(table => [table.name, table]))
  for (const { name, rows } of unclear) {
    const table = tables.get(name)
    if (table === undefined) continue
    await db.touch(async () => {
      if (rows === null) addProblems(problems, [await settleTable(db, table)])
      else for (const row of rows) addProblems(problems, [await settleRow(db, table, row)])
    })
  }
}
