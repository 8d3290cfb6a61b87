/** The highest id ever assigned in each table. Events mention deleted rows, so an id must never be reused. */
import type { Database } from './database.ts'
import { findTables, type Row, readLastId, type Table } from './tables.ts'

/** Far above any real id, and far below 2^53, where numbers lose precision. */
export const maxId = 2 ** 52

const isId = (id: unknown): id is number => Number.isSafeInteger(id) && Number(id) >= 0 && Number(id) <= maxId

/** The table that an event's noun refers to. */
const tablesByNoun: Readonly<Record<string, string>> = {
  'api-key': 'api_keys',
  file: 'files',
  folder: 'files',
  group: 'user_groups',
  // The events of a link and of a share are about the item.
  link: 'files',
  'metadata-field': 'metadata_fields',
  role: 'roles',
  share: 'files',
  space: 'spaces',
  tag: 'tags',
  user: 'users',
}

/** The highest id mentioned, by table. */
export type ToldIds = Map<string, number>

/** Adds a mentioned id; ignores invalid ids and unknown tables. */
export function addTold(told: ToldIds, table: string | undefined, id: unknown): void {
  if (table === undefined || !isId(id)) return
  told.set(table, Math.max(id, told.get(table) ?? 0))
}

/**
 * The columns that refer to rows by ids that are no foreign keys. The rows may be gone, but whatever got such an id next
 * would be taken for them: a key for a folder would reach another one, and a new link would show what another's visitors
 * did.
 */
const looseColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  api_keys: { scope_space_id: 'spaces', scope_item_id: 'files' },
  events: { link_id: 'links' },
  files: { content_by: 'users', received_by: 'links' },
}

/** Adds the ids that a table's rows mention. */
export function addToldBy(told: ToldIds, table: string, rows: readonly Row[]): void {
  for (const row of rows) {
    addTold(told, table, row.id)
    for (const [column, of] of Object.entries(looseColumns[table] ?? {})) addTold(told, of, row[column])
    if (table !== 'events') continue
    for (const [of, column] of Object.entries(columnsOfEvents)) addTold(told, of, row[column])
    addTold(told, tablesByNoun[String(row.action).split('.')[0] ?? ''], row.item_id)
  }
}

export interface LastId {
  table: string
  /** The value of the id counter; null when it is invalid. */
  kept: number | null
  /** The highest id that rows or events mention; 0 for none. */
  told: number
}

/** The columns of events that refer to other rows. */
const columnsOfEvents = { users: 'actor_id', api_keys: 'key_id', spaces: 'space_id' }

const nounsQuery = `SELECT SUBSTR(action, 1, INSTR(action, '.') - 1) AS noun, MAX(item_id) AS id FROM events
  WHERE item_id BETWEEN 1 AND ${maxId} GROUP BY noun`
const highestOf = (column: string): string => `MAX(CASE WHEN ${column} BETWEEN 1 AND ${maxId} THEN ${column} END)`
const highest = Object.entries(columnsOfEvents).map(([table, column]) => `${highestOf(column)} AS ${table}`)
const columnsQuery = `SELECT ${highest.join(', ')} FROM events`

/** The ids that events mention. */
async function findInEvents(db: Database): Promise<ToldIds> {
  const told: ToldIds = new Map()
  const ofColumns = await db.row<Record<string, number | null>>(columnsQuery)
  for (const [table, id] of Object.entries(ofColumns ?? {})) addTold(told, table, id)
  const ofNouns = await db.rows<{ noun: string | Buffer; id: number }>(nounsQuery)
  for (const { noun, id } of ofNouns) addTold(told, tablesByNoun[noun.toString()], id)
  return told
}

/** Adds the ids in loose columns; those of an older filestore's tables are not all there. */
async function addLoose(db: Database, told: ToldIds, tables: readonly Table[]): Promise<void> {
  for (const { name: table, columns } of tables) {
    const loose = Object.entries(looseColumns[table] ?? {})
    for (const [column, of] of loose.filter(([known]) => columns.some(({ name }) => name === known))) {
      const row = await db.row<{ id: number | null }>(
        `SELECT MAX(${column}) AS id FROM ${table} WHERE ${column} BETWEEN 1 AND ${maxId}`,
      )
      addTold(told, of, row?.id)
    }
  }
}

async function findInRows(db: Database, table: string): Promise<number> {
  const row = await db.row<{ id: number | null }>(`SELECT MAX(id) AS id FROM ${table} WHERE id BETWEEN 1 AND ${maxId}`)
  return row?.id ?? 0
}

/** For each table whose ids are counted. The counter is read last, because concurrent inserts can only raise it. */
export async function findLastIds(db: Database): Promise<LastId[]> {
  const isNumbered = ({ key, columns }: Table) =>
    key.join() === 'id' && columns.some(({ name, isText }) => name === 'id' && !isText)
  const tables = (await findTables(db)).filter(isNumbered)
  const mentioned: ToldIds = tables.some(({ name }) => name === 'events') ? await findInEvents(db) : new Map()
  await addLoose(db, mentioned, tables)
  const found: LastId[] = []
  for (const { name: table } of tables) {
    const told = Math.max(await findInRows(db, table), mentioned.get(table) ?? 0)
    const kept = await readLastId(db, table)
    found.push({ table, told, kept: isId(kept) ? kept : null })
  }
  return found
}

/** A snapshot's counters, combined with the mentioned ids. */
export const lastIdsOf = (tables: readonly { name: string; last_id: number | null }[], told: ToldIds): LastId[] =>
  tables.map(({ name, last_id }) => ({
    table: name,
    kept: isId(last_id) ? last_id : null,
    told: told.get(name) ?? 0,
  }))

/** Whether the counter would reuse ids, or is invalid. */
export const isDamagedId = ({ kept, told }: LastId): boolean => told > (kept ?? 0)

/** The value to continue counting from. */
export const lastIdOf = ({ kept, told }: Pick<LastId, 'kept' | 'told'>): number => Math.max(kept ?? 0, told)

/** The problem as the rest of a sentence about the table. */
export const describeDamagedId = ({ kept, told }: LastId): string =>
  `ids up to ${told} were given, and the next is counted from ${kept ?? 'nothing that could be one'}`

export const titleLastId = (lastId: LastId): string => `table ${lastId.table}: ${describeDamagedId(lastId)}`
