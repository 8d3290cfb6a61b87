/** Describes a database's tables, and reads or fills them whole, on either dialect. */
import type { Database } from './database.ts'
import { readOnBehind } from './read-on.ts'

export interface Table {
  name: string
  columns: Column[]
  /** The columns of the primary key, in its order. */
  key: string[]
  /** The highest id ever given; null if the table has no counter. */
  lastId: number | null
}

interface Column {
  name: string
  /** Whether it holds bytes. All other columns hold text or whole numbers, which both drivers return alike. */
  isBytes: boolean
  isText: boolean
}

export type Row = Record<string, string | number | Buffer | null>

interface ColumnRow {
  name: string
  type: string
}

const queries = {
  sqlite: {
    tables: "SELECT name FROM sqlite_master WHERE type = 'table'",
    // Generated columns are hidden.
    columns: 'SELECT name, type FROM pragma_table_xinfo($1) WHERE hidden = 0 ORDER BY cid',
    key: 'SELECT name FROM pragma_table_xinfo($1) WHERE pk > 0 ORDER BY pk',
    lastId: 'SELECT seq AS id FROM sqlite_sequence WHERE name = $1',
  },
  mariadb: {
    tables: `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`,
    columns: `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name = $1 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
    // By itself: joined with the columns, it would open the table again for each of them.
    key: `SELECT column_name AS name FROM information_schema.statistics
      WHERE table_schema = DATABASE() AND table_name = $1 AND index_name = 'PRIMARY' ORDER BY seq_in_index`,
    lastId: `SELECT auto_increment - 1 AS id FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = $1 AND auto_increment IS NOT NULL`,
  },
} as const

/** Tables of Umzug, SQLite and the search index, which the migrations create and fill. */
const foreignTables = /^(migrations$|sqlite_|file_search)/

/** Whether a table holds filestore's own rows. */
export const isOwnTable = (name: string): boolean => !foreignTables.test(name)

/** A table's id counter, even if invalid; null when the table has none. */
export const readLastId = async (db: Database, name: string): Promise<number | null> =>
  (await db.row<{ id: number }>(queries[db.dialect].lastId, [name]))?.id ?? null

async function describeTable(db: Database, name: string): Promise<Table> {
  const { columns, key } = queries[db.dialect]
  const found = await db.rows<ColumnRow>(columns, [name])
  const inKey = await db.rows<{ name: string }>(key, [name])
  return {
    name,
    columns: found.map(({ name: column, type }) => ({
      name: column,
      isBytes: /blob/i.test(type),
      isText: /text|char/i.test(type),
    })),
    key: inKey.map(column => column.name),
    lastId: await readLastId(db, name),
  }
}

/** Returns all tables of filestore, by name. */
export async function findTables(db: Database): Promise<Table[]> {
  const rows = await db.rows<{ name: string }>(queries[db.dialect].tables)
  const names = rows.map(({ name }) => name).filter(isOwnTable)
  const tables: Table[] = []
  for (const name of names.sort()) tables.push(await describeTable(db, name))
  return tables
}

const quoted = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')

/**
 * Returns the first `count` rows after a row in the order of the key; from the start if `after` is undefined. Queries
 * one range per key column, the last first: greater than `after` in it, and equal in all before it. Each range uses the
 * index.
 */
async function readAfter(db: Database, table: Table, after: Row | undefined, count: number): Promise<Row[]> {
  const select = `SELECT ${quoted(table.columns.map(({ name }) => name))} FROM \`${table.name}\``
  const order = `ORDER BY ${quoted(table.key)}`
  if (after === undefined) return db.rows<Row>(`${select} ${order} LIMIT ${count}`)
  const rows: Row[] = []
  for (let equal = table.key.length - 1; equal >= 0 && rows.length < count; equal--) {
    const columns = table.key.slice(0, equal + 1)
    const conditions = columns.map((name, index) => `\`${name}\` ${index < equal ? '=' : '>'} $${index + 1}`)
    const text = `${select} WHERE ${conditions.join(' AND ')} ${order} LIMIT ${count - rows.length}`
    const bind = columns.map(name => after[name] ?? null)
    rows.push(...(await db.rows<Row>(text, bind)))
  }
  return rows
}

const keyOf = ({ key }: Table, row: Row): Row[string][] => key.map(name => row[name] ?? null)

/** Rows read at once, at most. */
export const mostSliceRows = 1000
/** Fewer from a table with bytes, because each row may hold 32 KiB. */
const sliceSizes = { plain: mostSliceRows, bytes: 250 }

/** Groups rows, in the order of the key, by ranges of `size` ids in the key's first column. */
function groupByRange(table: Table, rows: readonly Row[], size: number): Row[][] {
  const [first = ''] = table.key
  const groups: Row[][] = []
  let last = Number.NaN
  for (const row of rows) {
    // All rows whose key is text are in one range.
    const range = Math.floor(Number(row[first]) / size) || 0
    if (range === last) groups.at(-1)?.push(row)
    else groups.push([row])
    last = range
  }
  return groups
}

/** Converts bytes to text: MariaDB returns text with a binary collation as bytes. */
function withText(table: Table, row: Row): Row {
  for (const { name, isBytes } of table.columns) {
    const value = row[name]
    if (!isBytes && Buffer.isBuffer(value)) row[name] = value.toString()
  }
  return row
}

/**
 * Yields all rows in slices, in the order of the key. A slice ends where the ids reach a multiple of its size, so that
 * unchanged rows are in the same slice next time. Throws DamageError like `readOnBehind`.
 */
export async function* readSlices(db: Database, table: Table): AsyncGenerator<Row[]> {
  const size = sliceSizes[table.columns.some(({ isBytes }) => isBytes) ? 'bytes' : 'plain']
  for (let after: Row | undefined; ; ) {
    const rows = await readAfter(db, table, after, size)
    const groups = groupByRange(table, rows, size)
    const isLast = rows.length < size
    // The last range may continue on the next page, so it is read again with the rest.
    if (!isLast && groups.length > 1) groups.pop()
    for (const group of groups) yield db.dialect === 'sqlite' ? group : group.map(row => withText(table, row))
    if (isLast) return
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined) readOnBehind(db, keyOf(table, last), after && keyOf(table, after))
    after = last
  }
}

/** Rows per statement, as in insert.ts. */
const rowsAtOnce = 100

/** Adds rows with all their columns, inside a touch. Throws if a row has a column that the table does not have. */
export async function insertRows(db: Database, table: Table, rows: readonly Row[]): Promise<void> {
  const names = table.columns.map(({ name }) => name)
  const unknown = rows.flatMap(row => Object.keys(row)).find(name => !names.includes(name))
  if (unknown !== undefined) throw new Error(`The table ${table.name} has no column ${unknown}`)
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce)
    const places = some.map((_, row) => `(${names.map((_, index) => `$${row * names.length + index + 1}`).join(', ')})`)
    await db.change(
      `INSERT INTO \`${table.name}\` (${quoted(names)}) VALUES ${places.join(', ')}`,
      some.flatMap(row => names.map(name => row[name] ?? null)),
    )
  }
}

/** Deletes all rows of a table, inside a touch. */
export const emptyTable = (db: Database, table: Table): Promise<number> => db.change(`DELETE FROM \`${table.name}\``)
