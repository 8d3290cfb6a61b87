/**
 * Compares the indexes of an SQLite table with its rows, value by value. SQLite's own check tells only that a row is not
 * in an index, not what the index says about it.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Bind } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'

/** An index as its definition says. */
export interface Index {
  name: string
  columns: string[]
  /** The condition of an index of some rows only; null for one of all rows. */
  condition: string | null
  isUnique: boolean
}

/** A table with its indexes. */
export interface IndexedTable {
  name: string
  /** The table as SQL names it so that SQLite reads its rows, and no index. */
  rows: string
  /** The columns by which a row is found. */
  key: string[]
  indexes: Index[]
}

/** An entry of an index whose row has other values. */
interface Contradiction {
  key: Bind[]
  /** By column: the value in the row, and that in the index. None if only the condition of the index tells them apart. */
  values: Map<string, [row: Bind, index: Bind]>
}

const quoted = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')
const where = ({ condition }: Index): string => (condition === null ? '' : `WHERE ${condition}`)
const named = (columns: readonly string[], letter: string): string =>
  columns.map((column, at) => `\`${column}\` AS ${letter}${at}`).join(', ')

/** Null stands for an expression. */
async function columnsOf(db: Database, index: string): Promise<(string | null)[]> {
  const query = 'SELECT name FROM pragma_index_xinfo($1) WHERE "key" = 1 ORDER BY seqno'
  return (await db.rows<{ name: string | null }>(query, [index])).map(({ name }) => name)
}

const isColumn = (name: string | null): name is string => name !== null

/** Leaves out indexes of expressions, which filestore has none of. */
export async function findIndexedTable(db: Database, name: string): Promise<IndexedTable> {
  const [form] = await db.rows<{ wr: number }>('SELECT wr FROM pragma_table_list($1)', [name])
  const found = await db.rows<{ name: string; origin: string; unique: number; sql: string | null }>(
    `SELECT l.name, l.origin, l."unique", m.sql FROM pragma_index_list($1) l
       LEFT JOIN sqlite_schema m ON m.type = 'index' AND m.name = l.name ORDER BY l.name`,
    [name],
  )
  // A table WITHOUT ROWID is the index of its primary key. NOT INDEXED would let SQLite read another index instead.
  const own = form?.wr === 1 ? found.find(({ origin }) => origin === 'pk')?.name : undefined
  const indexes: Index[] = []
  for (const index of found.filter(other => other.name !== own)) {
    const columns = await columnsOf(db, index.name)
    const condition = /\bWHERE\b(.*)$/is.exec(index.sql ?? '')?.[1] ?? null
    if (columns.every(isColumn)) indexes.push({ name: index.name, columns, condition, isUnique: index.unique === 1 })
  }
  const key = own === undefined ? ['rowid'] : (await columnsOf(db, own)).filter(isColumn)
  return { name, rows: `\`${name}\` ${own === undefined ? 'NOT INDEXED' : `INDEXED BY \`${own}\``}`, key, indexes }
}

const entriesOf = ({ name }: IndexedTable, index: Index): string =>
  `FROM \`${name}\` INDEXED BY \`${index.name}\` ${where(index)}`
const rowsOf = ({ rows }: IndexedTable, index: Index): string => `FROM ${rows} ${where(index)}`

/** Reads all values of an index, or of the rows of the table; throws where they cannot be read. */
export async function readValues(db: Database, table: IndexedTable, index?: Index): Promise<void> {
  const from = index === undefined ? `FROM ${table.rows}` : entriesOf(table, index)
  const values = [...table.key, ...(index?.columns ?? [])].map(column => `TOTAL(\`${column}\`)`)
  await db.row(`SELECT ${values.join(', ')} ${from}`)
}

/** The first entries of an index that say something else than the row of the same key. */
export async function findContradictions(
  db: Database,
  table: IndexedTable,
  index: Index,
  most: number,
): Promise<Contradiction[]> {
  const { key, rows: own } = table
  const { columns } = index
  const both = `${named(key, 'k')}, ${named(columns, 'c')}`
  const rowValues = columns.map((column, at) => `t.\`${column}\` AS r${at}`)
  const found = await db.rows<Record<string, Bind>>(
    `SELECT x.*, ${rowValues.join(', ')}
     FROM (SELECT ${both} ${entriesOf(table, index)} EXCEPT SELECT ${both} ${rowsOf(table, index)}) x
       JOIN ${own.replace(' ', ' AS t ')} ON ${key.map((column, at) => `t.\`${column}\` = x.k${at}`).join(' AND ')}
     LIMIT ${most}`,
  )
  return found.map(row => ({
    key: key.map((_, at) => row[`k${at}`] ?? null),
    values: new Map(
      columns.flatMap((column, at) => {
        const values: [Bind, Bind] = [row[`r${at}`] ?? null, row[`c${at}`] ?? null]
        return isDeepStrictEqual(...values) ? [] : [[column, values] as const]
      }),
    ),
  }))
}

/** The keys of the first rows that an index should have and does not name at all. */
export async function findUnnamed(db: Database, table: IndexedTable, index: Index, most: number): Promise<Bind[][]> {
  const key = named(table.key, 'k')
  const found = await db.rows<Row>(
    `SELECT ${key} ${rowsOf(table, index)} EXCEPT SELECT ${key} ${entriesOf(table, index)} LIMIT ${most}`,
  )
  return found.map(row => Object.values(row))
}

/** A row with the values of another one in a UNIQUE index, which lacks one of them. */
export interface DoubledRow {
  key: Bind[]
  columns: string[]
  /** Whether it is the one row with these values that may keep them: one that the index names, and among these the oldest. */
  isKept: boolean
}

/** The first rows with values that a UNIQUE index forbids, as the table has them. */
export async function findDoubled(
  db: Database,
  table: IndexedTable,
  index: Index,
  most: number,
): Promise<DoubledRow[]> {
  const { key, rows: own } = table
  const { columns } = index
  const both = `${named(key, 'k')}, ${named(columns, 'c')}`
  const all = columns.map(column => `\`${column}\` IS NOT NULL`).join(' AND ')
  const order = [...columns.map((_, at) => `c${at}`), 'is_unnamed', ...key.map((_, at) => `k${at}`)].join(', ')
  const found = await db.rows<Record<string, Bind>>(
    `SELECT x.*, NOT EXISTS (SELECT 1 FROM (SELECT ${both} ${entriesOf(table, index)}) e
         WHERE ${[...key.map((_, at) => `e.k${at} = x.k${at}`), ...columns.map((_, at) => `e.c${at} = x.c${at}`)].join(' AND ')})
       AS is_unnamed
     FROM (SELECT ${both} FROM ${own}) x
       JOIN (SELECT ${named(columns, 'c')} FROM ${own} WHERE ${all} GROUP BY ${quoted(columns)} HAVING COUNT(*) > 1) d
         ON ${columns.map((_, at) => `d.c${at} = x.c${at}`).join(' AND ')}
     ORDER BY ${order} LIMIT ${most}`,
  )
  const valuesOf = (row: Record<string, Bind> | undefined) => columns.map((_, at) => row?.[`c${at}`])
  return found.map((row, place) => ({
    key: key.map((_, at) => row[`k${at}`] ?? null),
    columns,
    isKept: !isDeepStrictEqual(valuesOf(row), valuesOf(found[place - 1])),
  }))
}

const allEntries = (table: IndexedTable): string[] =>
  table.indexes
    .filter(({ condition }) => condition === null)
    .map(index => `SELECT ${quoted(table.key)} ${entriesOf(table, index)}`)

/** The keys of the first rows that all indexes of all rows name, and the table does not have. */
export async function findGone(db: Database, table: IndexedTable, most: number): Promise<Bind[][]> {
  const entries = allEntries(table)
  if (entries.length === 0) return []
  const rows = `SELECT ${quoted(table.key)} FROM ${table.rows}`
  const found = await db.rows<Row>(`${entries.join(' INTERSECT ')} EXCEPT ${rows} LIMIT ${most}`)
  return found.map(row => Object.values(row))
}

/** How many rows a table and all of its indexes of all rows disagree about. */
export async function compareWhole(db: Database, table: IndexedTable): Promise<{ gone: number; revived: number }> {
  const entries = allEntries(table)
  if (entries.length === 0) return { gone: 0, revived: 0 }
  const rows = `SELECT ${quoted(table.key)} FROM ${table.rows}`
  const count = async (sql: string) =>
    (await db.row<{ count: number }>(`SELECT COUNT(*) AS count FROM (${sql})`))?.count ?? 0
  // A single index that lacks rows may itself be wrong, and so may indexes without any entry.
  const isTelling = entries.length > 1 && (await count(`${entries.join(' UNION ALL ')} LIMIT 1`)) > 0
  return {
    gone: await count(`${entries.join(' INTERSECT ')} EXCEPT ${rows}`),
    revived: isTelling ? await count([rows, ...entries].join(' EXCEPT ')) : 0,
  }
}
