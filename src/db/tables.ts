/** What tables a database has and what is in them, for those who read or fill it whole, on either dialect. */
import type { Database } from './database.ts'
import { readOnBehind } from './read-on.ts'

export interface Table {
  name: string
  columns: Column[]
  /** The columns of the primary key, in its order. */
  key: string[]
  /** The highest id ever given; null where the table counts none. */
  lastId: number | null
}

interface Column {
  name: string
  /** Whether it holds bytes; all other columns hold text or whole numbers, which the drivers give alike. */
  isBytes: boolean
  isText: boolean
}

export type Row = Record<string, string | number | Buffer | null>

interface ColumnRow {
  name: string
  type: string
  /** Place in the primary key, from 1; 0 outside of it. */
  place: number
}

const queries = {
  sqlite: {
    tables: "SELECT name FROM sqlite_master WHERE type = 'table'",
    // Generated columns are hidden.
    columns: 'SELECT name, type, pk AS place FROM pragma_table_xinfo($1) WHERE hidden = 0 ORDER BY cid',
    lastId: 'SELECT seq AS id FROM sqlite_sequence WHERE name = $1',
  },
  mariadb: {
    tables: `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`,
    columns: `SELECT c.column_name AS name, c.data_type AS type, COALESCE(k.ordinal_position, 0) AS place
      FROM information_schema.columns c LEFT JOIN information_schema.key_column_usage k
        ON k.table_schema = c.table_schema AND k.table_name = c.table_name AND k.column_name = c.column_name
          AND k.constraint_name = 'PRIMARY'
      WHERE c.table_schema = DATABASE() AND c.table_name = $1 AND c.is_generated = 'NEVER'
      ORDER BY c.ordinal_position`,
    lastId: `SELECT auto_increment - 1 AS id FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = $1 AND auto_increment IS NOT NULL`,
  },
} as const

/** Umzug's, SQLite's own and those of the search index: they come with the migrations. */
const foreignTables = /^(migrations$|sqlite_|file_search)/

async function describeTable(db: Database, name: string): Promise<Table> {
  const { columns, lastId } = queries[db.dialect]
  const found = await db.rows<ColumnRow>(columns, [name])
  const inKey = found.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place)
  return {
    name,
    columns: found.map(({ name: column, type }) => ({
      name: column,
      isBytes: /blob/i.test(type),
      isText: /text|char/i.test(type),
    })),
    key: inKey.map(column => column.name),
    lastId: (await db.row<{ id: number }>(lastId, [name]))?.id ?? null,
  }
}

/** All tables of filestore, by name. */
export async function findTables(db: Database): Promise<Table[]> {
  const rows = await db.rows<{ name: string }>(queries[db.dialect].tables)
  const names = rows.map(({ name }) => name).filter(name => !foreignTables.test(name))
  const tables: Table[] = []
  for (const name of names.sort()) tables.push(await describeTable(db, name))
  return tables
}

const quoted = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')

/**
 * The first `count` rows behind a row's place in the order of the key, from the start where `after` is undefined. A
 * range for each column of the key, the last first: behind it with all before it equal; each range is read by index.
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

/** Rows read at once; of a table with bytes in it fewer, for each may have 32 KiB. */
const sliceSizes = { plain: 1000, bytes: 250 }

/** Rows, in the order of the key, by the range of so many ids that the first column of the key stands in. */
function groupByRange(table: Table, rows: readonly Row[], size: number): Row[][] {
  const [first = ''] = table.key
  const groups: Row[][] = []
  let last = Number.NaN
  for (const row of rows) {
    // A key that is text stands in one range.
    const range = Math.floor(Number(row[first]) / size) || 0
    if (range === last) groups.at(-1)?.push(row)
    else groups.push([row])
    last = range
  }
  return groups
}

/** MariaDB gives text that it compares as bytes as bytes. */
function withText(table: Table, row: Row): Row {
  for (const { name, isBytes } of table.columns) {
    const value = row[name]
    if (!isBytes && Buffer.isBuffer(value)) row[name] = value.toString()
  }
  return row
}

/**
 * All rows in slices, in the order of the key. A slice ends where the ids reach a multiple of its size, so that rows
 * which nobody has touched since stand in the same slice again. Throws DamageError as `readOnBehind`.
 */
export async function* readSlices(db: Database, table: Table): AsyncGenerator<Row[]> {
  const size = sliceSizes[table.columns.some(({ isBytes }) => isBytes) ? 'bytes' : 'plain']
  for (let after: Row | undefined; ; ) {
    const rows = await readAfter(db, table, after, size)
    const groups = groupByRange(table, rows, size)
    const isLast = rows.length < size
    // Its range may go on: it is read again, with the rest.
    if (!isLast && groups.length > 1) groups.pop()
    for (const group of groups) yield db.dialect === 'sqlite' ? group : group.map(row => withText(table, row))
    if (isLast) return
    const last = groups.at(-1)?.at(-1)
    if (last !== undefined) readOnBehind(db, keyOf(table, last), after && keyOf(table, after))
    after = last
  }
}

/** Rows in one statement, as in insert.ts. */
const rowsAtOnce = 100

/** Adds rows with all their columns, inside a touch. Throws where they have others than the table. */
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

/** Takes all rows of a table away, inside a touch. */
export const emptyTable = (db: Database, table: Table): Promise<number> => db.change(`DELETE FROM \`${table.name}\``)
