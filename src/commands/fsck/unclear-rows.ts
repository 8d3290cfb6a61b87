/**
 * Rows that an index contradicts, as a disk leaves them that has changed a page, or has lost a write: nobody knows which of
 * the two is right. An index that is built anew from its table makes the row the truth, so the safe side comes first.
 */
import type { Bind } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { remadeTables } from './damage.ts'
import { findAllDoubled, isRenamed, isUntold, tellDoubled } from './doubled-rows.ts'
import { type Check, damageProblem, type Finding } from './finding.ts'
import {
  compareWhole,
  type DoubledRow,
  findContradictions,
  findIndexedTable,
  findUnnamed,
  type Index,
  type IndexedTable,
} from './index-entries.ts'
import { nameItem } from './names.ts'
import { findSafeSides, isDerived, type SafeSide, wholeSideOf } from './safe-sides.ts'
import { type Beside, findBeside, reportBeside } from './stale-pages.ts'

interface UnclearRow {
  key: Bind[]
  columns: Set<string>
  /** Why, as the rest of a sentence. */
  words: string
  /** Null: no repair is safe. */
  sides: readonly SafeSide[] | null
}

/** What a table and its indexes disagree about. */
export interface Disagreement {
  table: IndexedTable
  rows: UnclearRow[]
  /** Whether there are more rows than are looked at one by one. */
  isCut: boolean
  /** Rows that all indexes name, and the table does not have. */
  gone: number
  /** Rows that no index names: they had been deleted. */
  revived: number
  /** Rows that a UNIQUE index forbids. */
  doubled: DoubledRow[]
  /** What is on the same pages as rows of another moment. */
  beside: Beside
}

/** So many rows of a table are told, and mended, one by one. More are no single page. */
const mostRows = 10_000

/** The columns in the condition of an index, if possible those that no index of all rows holds: that would tell them. */
function conditionColumns(indexes: readonly Index[], { condition }: Index): string[] {
  const all = condition?.replaceAll(/'[^']*'/g, '').match(/[a-z_]+/g) ?? []
  const held = indexes.filter(index => index.condition === null).flatMap(({ columns }) => columns)
  const own = all.filter(column => !held.includes(column))
  return own.length > 0 ? own : all
}

/** Only numbers are told, because some texts are secret. */
const isPlain = (value: Bind): boolean => value === null || typeof value === 'number'
const tellValues = (column: string, index: string, row: Bind, entry: Bind): string =>
  isPlain(row) && isPlain(entry)
    ? `its ${column} is ${row ?? 'none'}, and ${entry ?? 'none'} in index ${index}`
    : `its ${column} is another one in index ${index}`

/** What one index says about a row. */
interface Said {
  key: Bind[]
  columns: string[]
  words: string
  /** Null: the table itself says it. */
  index: Index | null
  /** Whether it does not name the row. */
  isLack: boolean
}

async function findContradicted(db: Database, table: IndexedTable, index: Index): Promise<Said[]> {
  const found = await findContradictions(db, table, index, mostRows + 1)
  return found.flatMap(({ key, values }): Said[] => {
    const known = [...values].filter(([column]) => !isDerived(table.name, column))
    const words = known.map(([column, [row, entry]]) => tellValues(column, index.name, row, entry)).join('; ')
    if (known.length > 0) return [{ key, columns: known.map(([column]) => column), words, index, isLack: false }]
    const columns = conditionColumns(table.indexes, index)
    if (values.size > 0 || columns.length === 0) return []
    const other = `index ${index.name} says something else about its ${columns.join(', ')}`
    return [{ key, columns, words: other, index, isLack: false }]
  })
}

/**
 * The columns about which an index says something by lacking a row; none if there is nothing to fear from it, as it may
 * lack the row because it is damaged itself. Null: whether the row is there at all.
 */
function columnsOfLack({ name, indexes }: IndexedTable, index: Index): string[] | null {
  if (wholeSideOf(name) !== undefined) return null
  const held = indexes.filter(({ condition }) => condition === null).flatMap(({ columns }) => columns)
  const columns = conditionColumns(indexes, index).filter(column => !held.includes(column))
  return findSafeSides(name, columns)?.length === 0 ? [] : columns
}

async function findLacking(db: Database, table: IndexedTable, index: Index): Promise<Said[]> {
  const columns = columnsOfLack(table, index)
  if (columns?.length === 0) return []
  const keys = await findUnnamed(db, table, index, mostRows + 1)
  const words = `index ${index.name} does not name it`
  return keys.map(key => ({ key, columns: columns ?? [], words, index, isLack: true }))
}

/**
 * Whether the row is of another moment, rather than an index damaged: all indexes of all rows lack it, or all that hold a
 * column say something else about it.
 */
function isSign({ indexes }: IndexedTable, all: readonly Said[]): boolean {
  const ofAllRows = indexes.filter(({ condition }) => condition === null)
  const lacking = all.filter(({ isLack }) => isLack).map(({ index }) => index)
  if (ofAllRows.length > 0 && ofAllRows.every(index => lacking.includes(index))) return true
  const told = all.filter(({ isLack, index }) => !isLack && index !== null)
  const saysOther = (index: Index, column: string) =>
    told.some(one => one.index === index && one.columns.includes(column))
  return told
    .flatMap(({ columns }) => columns)
    .some(column => ofAllRows.filter(index => index.columns.includes(column)).every(index => saysOther(index, column)))
}

const tableSays = (row: DoubledRow): Said => ({
  key: row.key,
  columns: row.columns,
  words: tellDoubled(row),
  index: null,
  isLack: false,
})

/** Compares a table with its indexes at one moment; call it in a snapshot or a write. */
export async function findDisagreement(db: Database, name: string): Promise<Disagreement> {
  const table = await findIndexedTable(db, name)
  const said = new Map<string, Said[]>()
  for (const index of table.indexes) {
    for (const one of [...(await findContradicted(db, table, index)), ...(await findLacking(db, table, index))]) {
      const id = one.key.join('/')
      said.set(id, [...(said.get(id) ?? []), one])
    }
  }
  const doubled = await findAllDoubled(db, table, mostRows)
  for (const row of wholeSideOf(name) === undefined ? [] : doubled) {
    const id = row.key.join('/')
    said.set(id, [...(said.get(id) ?? []), tableSays(row)])
  }
  const rows = [...said.values()].slice(0, mostRows).map((all): UnclearRow => {
    const columns = new Set(all.flatMap(one => one.columns))
    const words = all.map(one => one.words).join('; ')
    return { key: all[0]?.key ?? [], columns, words, sides: findSafeSides(name, [...columns]) }
  })
  const signs = [...said.values()].filter(all => isSign(table, all)).map(([one]) => one?.key ?? [])
  const beside = await findBeside(db, table, signs, mostRows)
  return { table, rows, isCut: said.size > mostRows, doubled, beside, ...(await compareWhole(db, table)) }
}

/** What an administrator can do about rows of another moment. */
const restoreWay =
  "an older backup may have what is gone; 'filestore backup', and 'filestore restore' of it, take the rest as it is"

const titleOf = ({ name }: IndexedTable, key: readonly Bind[]): string => `${name} ${key.join('/')}`

async function placeOf(
  db: Database,
  table: IndexedTable,
  key: readonly Bind[],
): Promise<Pick<Finding, 'name' | 'file_id'>> {
  if (table.name !== 'files') return { name: titleOf(table, key), file_id: null }
  const id = Number(key[0])
  return { name: `${await nameItem(db, id)} (id:${id})`, file_id: id }
}

/** Reports what no repair may touch: an index that is built anew would make it the truth. */
export async function reportLost(check: Check, found: Disagreement): Promise<void> {
  const { table, rows, isCut, gone, revived, doubled } = found
  const mayBeGone = wholeSideOf(table.name) !== undefined
  const words: string[] = []
  if (gone > 0 && !mayBeGone) words.push(`rows that its indexes name are gone: ${gone}`)
  if (revived > 0 && !mayBeGone) {
    words.push(`rows are there that none of its indexes names, as if deleted ones were back: ${revived}`)
  }
  if (isCut) words.push(`its indexes say something else about more than ${mostRows} rows`)
  const lost = { verdict: 'lost', problem: damageProblem } as const
  const name = `table ${table.name}`
  if (words.length > 0) {
    const detail = `${words.join('; ')}. A part of it is of another moment: ${restoreWay}`
    await check.report({ ...lost, name, detail })
  }
  for (const row of rows.filter(({ sides }) => sides === null)) {
    const detail = `${row.words}. Nobody knows which is right, and nothing is repaired: ${restoreWay}`
    await check.report({ ...lost, ...(await placeOf(check.deps.db, table, row.key)), detail })
  }
  for (const row of doubled.filter(one => isUntold(table.name, one))) {
    const detail = `${tellDoubled(row)}. Nobody knows which is right, and nothing is repaired: ${restoreWay}`
    await check.report({ ...lost, name: titleOf(table, row.key), detail })
  }
}

/** Reports the rows of a table that have a safe side. `settle` takes it for all of them, and builds the indexes anew. */
export async function reportUnclear(check: Check, found: Disagreement, settle: () => Promise<boolean>): Promise<void> {
  const { table, rows, gone, doubled, beside } = found
  const { db } = check.deps
  const problem = 'row-unclear'
  if (gone > 0 && wholeSideOf(table.name) !== undefined && !remadeTables.test(table.name)) {
    const detail = `rows that its indexes name are gone: ${gone}`
    await check.report({ verdict: 'lost', problem, name: `table ${table.name}`, detail })
  }
  for (const { key, words, sides } of rows) {
    if (sides === null) continue
    const place = await placeOf(db, table, key)
    const base = `${words}. Nobody knows which is right`
    if (sides.length === 0) await check.report({ verdict: 'lost', problem, ...place, detail: base })
    else {
      const detail = `${base}, so ${sides.map(({ outcome }) => outcome).join(', and ')}`
      await check.report({ verdict: 'repairable', problem, ...place, detail }, settle)
    }
  }
  await reportBeside(check, table, beside, settle)
  for (const row of doubled.filter(one => isRenamed(table.name, one))) {
    const detail = `${tellDoubled(row)}, so it gets another one`
    await check.report({ verdict: 'repairable', problem, name: titleOf(table, row.key), detail }, settle)
  }
}
