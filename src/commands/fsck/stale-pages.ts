/**
 * Finds the rows on the pages of an SQLite table that may be of an earlier moment: where indexes contradict one row of a
 * page, as after a lost write, the columns of the others that no index holds may be those of then, too.
 */
import { second } from '../../base/clock.ts'
import type { Bind } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { findProfile } from '../../users/find.ts'
import type { Check } from './finding.ts'
import { findGone, type IndexedTable } from './index-entries.ts'
import { nameItem } from './names.ts'
import { accountColumns, findSafeSides, type SafeSide, wholeSideOf } from './safe-sides.ts'

/** A row beside one that is of another moment. */
interface BesideRow {
  key: Bind[]
  row: Row
  /** What may be of then; empty for all of it. */
  columns: readonly string[]
}

const besideRow = (row: Row): BesideRow => ({ key: [Number(row.id)], row, columns: [] })

/** The safe sides about it. */
export const sidesBeside = (table: string, { columns }: Pick<BesideRow, 'columns'>): readonly SafeSide[] =>
  findSafeSides(table, columns) ?? []
const outcomeOf = (table: string, row: BesideRow): string =>
  sidesBeside(table, row)
    .map(({ outcome }) => outcome)
    .join(', and ')

export interface Beside {
  rows: BesideRow[]
  /** The accounts on such pages that are as new as their newest event. */
  sure: Row[]
}

const nothing: Beside = { rows: [], sure: [] }

/** Tables with columns that decide about access and that no index holds. What else decides is in an index, row by row. */
const tables: readonly string[] = ['api_keys', 'links', 'shares', 'users']

/** The rows of each leaf page, in their order. */
async function findLeaves(db: Database, { name, rows }: IndexedTable): Promise<number[]> {
  const found = await db.rows<{ cells: number }>(
    "SELECT ncell AS cells FROM dbstat WHERE name = $1 AND pagetype = 'leaf' ORDER BY path",
    [name],
  )
  const leaves = found.map(({ cells }) => cells)
  const all = (await db.row<{ count: number }>(`SELECT COUNT(*) AS count FROM ${rows}`))?.count ?? 0
  // Where the pages are not those of the rows, all rows count as one page.
  return leaves.reduce((sum, cells) => sum + cells, 0) === all ? leaves : [all]
}

interface Page {
  /** The number of rows before it. */
  start: number
  cells: number
}

/** The page of a row by its id; of one that is gone, the pages of the rows before and after it. */
async function findPages(db: Database, { rows }: IndexedTable, leaves: readonly number[], id: Bind): Promise<Page[]> {
  const found = await db.row<{ before: number; own: number }>(
    `SELECT COALESCE(SUM(rowid < $1), 0) AS before, COALESCE(SUM(rowid = $1), 0) AS own FROM ${rows}`,
    [id],
  )
  const { before, own } = found ?? { before: 0, own: 0 }
  const places = own > 0 ? [before] : [before - 1, before]
  const pages: Page[] = []
  let start = 0
  for (const cells of leaves) {
    const first = start
    if (places.some(place => place >= first && place < first + cells)) pages.push({ start, cells })
    start += cells
  }
  return pages
}

/** The rows of the pages of some rows, there or gone; at most so many. */
async function readPages(db: Database, table: IndexedTable, ids: readonly Bind[], most: number): Promise<Row[]> {
  const leaves = await findLeaves(db, table)
  const byId = new Map<number, Row>()
  const read = new Set<number>()
  for (const id of ids) {
    if (byId.has(Number(id)) || byId.size >= most) continue
    for (const { start, cells } of await findPages(db, table, leaves, id)) {
      if (read.has(start)) continue
      read.add(start)
      const found = await db.rows<Row>(`SELECT * FROM ${table.rows} ORDER BY rowid LIMIT $1 OFFSET $2`, [cells, start])
      for (const row of found) byId.set(Number(row.id), row)
    }
  }
  return [...byId.values()].slice(0, most)
}

/** Changes of an account, which set its `updated_at` in the same write, or are repairs. */
const accountChanges = ['user.update', 'user.change-password', 'user.update-profile', 'user.repair']

/** ms by which the event of a change can be later than the time in the row. */
const tolerance = second

/** The time of the newest change of each account that an event tells of, read past indexes that may be damaged. */
async function findNewestChanges(db: Database): Promise<Map<number, number>> {
  const actions = accountChanges.map(action => `'${action}'`).join(', ')
  const found = await db.rows<{ id: number; at: number }>(
    `SELECT item_id AS id, MAX(at) AS at FROM \`events\` NOT INDEXED WHERE action IN (${actions}) GROUP BY item_id`,
  )
  return new Map(found.map(({ id, at }) => [id, at]))
}

async function findBesideAccounts(db: Database, found: readonly Row[]): Promise<Beside> {
  const beside: Beside = { rows: [], sure: [] }
  const newest = await findNewestChanges(db)
  for (const row of found) {
    const changedAt = newest.get(Number(row.id)) ?? 0
    if (changedAt > Number(row.updated_at) + tolerance) beside.rows.push({ ...besideRow(row), columns: accountColumns })
    else beside.sure.push(row)
  }
  return beside
}

/** Finds what is beside rows that are of another moment, by their keys, and beside those that are gone. */
export async function findBeside(
  db: Database,
  table: IndexedTable,
  signs: readonly Bind[][],
  most: number,
): Promise<Beside> {
  if (!tables.includes(table.name)) return nothing
  const gone = await findGone(db, table, most)
  const ids = [...signs, ...gone].map(([id]) => id ?? null)
  if (ids.length === 0) return nothing
  const found = await readPages(db, table, ids, most)
  const side = wholeSideOf(table.name)
  if (side === undefined) return findBesideAccounts(db, found)
  const known = new Set(signs.map(([id]) => Number(id)))
  const isSafe = (row: Row) => Object.entries(side.set ?? {}).every(([column, value]) => row[column] === value)
  const rows = found.filter(row => !known.has(Number(row.id)) && !isSafe(row))
  return { rows: rows.map(besideRow), sure: [] }
}

/** `api_keys 5 'backup' of 'ann'`, `links 7 of ann:/Docs (id:3)`. */
async function titleOf(db: Database, table: string, row: Row): Promise<string> {
  const title = `${table} ${row.id}`
  if (table === 'users') return `${title} '${row.username}'`
  if (table !== 'api_keys') return `${title} of ${await nameItem(db, Number(row.item_id))} (id:${row.item_id})`
  const user = await findProfile(db, Number(row.user_id))
  return `${title} '${row.name}' of '${user?.username ?? row.user_id}'`
}

/** So many rows are named. */
const mostNamed = 1000

/** Reports the rows beside those of another moment, and names the accounts there that stay as they are. */
export async function reportBeside(
  { deps: { db }, report }: Check,
  { name: table }: IndexedTable,
  { rows, sure }: Beside,
  settle: () => Promise<boolean>,
): Promise<void> {
  const problem = 'row-unclear'
  const name = `table ${table}`
  for (const one of rows.slice(0, mostNamed)) {
    const detail = `what no index holds of it may be of an earlier moment, as a row beside it is, so ${outcomeOf(table, one)}`
    await report({ verdict: 'repairable', problem, name: await titleOf(db, table, one.row), detail }, settle)
  }
  const [rest] = rows.slice(mostNamed)
  if (rest !== undefined) {
    const detail = `so it is with ${rows.length - mostNamed} more rows: of each, ${outcomeOf(table, rest)}`
    await report({ verdict: 'repairable', problem, name, detail }, settle)
  }
  if (sure.length === 0) return
  const names = sure.slice(0, mostNamed).map(({ username }) => `'${username}'`)
  const detail = `accounts beside a row of an earlier moment are as new as their newest event, and stay as they are: ${names.join(', ')}`
  await report({ verdict: 'ok', problem, name, detail })
}
