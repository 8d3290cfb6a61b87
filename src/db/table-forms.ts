/** Describes the columns that given migrations make; the same for both databases, and known without opening one. */
import { migrations } from '../../migrations/index.ts'
import { completeNames } from './migrations-table.ts'
import { readMigrated } from './schema.ts'

interface ColumnForm {
  name: string
  type: 'integer' | 'text' | 'bytes'
  /** Whether the column is NOT NULL. */
  isRequired: boolean
  /** The row that the value names: the target of a foreign key. */
  refersTo: { table: string; column: string } | null
}

export interface TableForm {
  name: string
  columns: ColumnForm[]
  /** The columns of the primary key, in its order. */
  key: string[]
  /** The columns of each other unique index; they may be generated, and not among `columns`. */
  unique: string[][]
  /** The rows that the migrations add and that nobody can delete, by the values of a column; null for none. */
  lasting: { column: string; values: string[] } | null
}

interface FormRow {
  table: string
  name: string
  /** The declared type. */
  type: string
  isRequired: number
  /** Place in the primary key, from 1; 0 outside of it. */
  place: number
  /** The table's unique indexes: the columns of each, joined by commas, and those by spaces. */
  unique: string | null
  /** The target of a foreign key. */
  parent: string | null
  parentColumn: string | null
}

const query = `SELECT m.name AS "table", c.name, c.type, c."notnull" OR c.pk > 0 AS isRequired, c.pk AS place,
    (SELECT group_concat(columns, ' ') FROM (
      SELECT (SELECT group_concat(k.name) FROM pragma_index_info(i.name) k) AS columns
      FROM pragma_index_list(m.name) i WHERE i."unique" AND NOT i.partial AND i.origin <> 'pk')) AS "unique",
    r."table" AS parent, r."to" AS parentColumn
  FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c
    LEFT JOIN pragma_foreign_key_list(m.name) r ON r."from" = c.name
  WHERE m.type = 'table' AND c.hidden = 0
  ORDER BY m.name, c.cid`

const types: Record<string, ColumnForm['type']> = { INTEGER: 'integer', BLOB: 'bytes' }

/** The column that tells a table's lasting rows apart, and the condition that finds them in a new database. */
const lastingRows: Readonly<Record<string, readonly [column: string, condition: string]>> = {
  permissions: ['key', '1 = 1'],
  roles: ['name', 'is_system = 1'],
  settings: ['key', '1 = 1'],
  user_groups: ['name_key', "kind = 'everyone'"],
}

interface LastingRow {
  table: string
  value: string
}

/** The lasting rows of some tables, as the given migrations make them. */
async function readLasting(tables: readonly string[], names: readonly string[]): Promise<LastingRow[]> {
  const selects = Object.entries(lastingRows).flatMap(([table, [column, condition]]) =>
    tables.includes(table)
      ? [`SELECT '${table}' AS "table", \`${column}\` AS value FROM ${table} WHERE ${condition}`]
      : [],
  )
  return selects.length === 0 ? [] : readMigrated<LastingRow>(selects.join(' UNION ALL '), names)
}

function lastingOf(name: string, rows: readonly LastingRow[]): TableForm['lasting'] {
  const [column] = lastingRows[name] ?? []
  return column === undefined
    ? null
    : { column, values: rows.filter(({ table }) => table === name).map(({ value }) => value) }
}

function formOf(name: string, rows: readonly FormRow[], lasting: TableForm['lasting']): TableForm {
  const columns = rows.map(row => ({
    name: row.name,
    type: types[row.type] ?? ('text' as const),
    isRequired: row.isRequired === 1,
    refersTo: row.parent === null || row.parentColumn === null ? null : { table: row.parent, column: row.parentColumn },
  }))
  const inKey = rows.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place)
  const unique = (rows[0]?.unique ?? '').split(' ').filter(index => index !== '')
  return { name, columns, key: inKey.map(row => row.name), unique: unique.map(index => index.split(',')), lasting }
}

export type TableForms = ReadonlyMap<string, TableForm>

/**
 * Returns the tables by name, as made by the given migrations (default: all) and those before them; none if one is of a
 * newer filestore.
 */
export async function findTableForms(names = migrations.map(({ name }) => name)): Promise<TableForms> {
  const isKnown = names.every(name => migrations.some(migration => migration.name === name))
  const executed = isKnown ? completeNames(names).names : []
  const rows = isKnown ? await readMigrated<FormRow>(query, executed) : []
  const tables = [...new Set(rows.map(({ table }) => table))]
  const lasting = await readLasting(tables, executed)
  return new Map(
    tables.map(name => [
      name,
      formOf(
        name,
        rows.filter(({ table }) => table === name),
        lastingOf(name, lasting),
      ),
    ]),
  )
}
