/** The INSERT of rows into a model's table. */
import type { Model, ModelStatic } from 'sequelize'
import type { Bind } from './connections.ts'

/** Rows in one statement: few texts to prepare, and far from the 32,766 values that SQLite allows. */
const rowsAtOnce = 100

/** Ends an INSERT that gives its rows back, with all that the database has put into them, in no certain order. */
export const returning = ' RETURNING *'

interface Insert {
  sql: string
  bind: Bind[]
}

/** What a model gives the columns that a new row leaves out. */
function defaultsOf(table: ModelStatic<Model>): Record<string, Bind> {
  const defaults: Record<string, Bind> = {}
  for (const [name, { defaultValue }] of Object.entries(table.getAttributes())) {
    if (defaultValue !== undefined) defaults[name] = defaultValue as Bind
  }
  return defaults
}

function insertOf(table: ModelStatic<Model>, list: readonly object[]): Insert {
  const defaults = defaultsOf(table)
  const rows: Record<string, Bind>[] = list.map(row => ({ ...defaults, ...row }))
  const columns = Object.keys(rows[0] ?? {})
  const places = rows.map(
    (_, row) => `(${columns.map((_, index) => `$${row * columns.length + index + 1}`).join(', ')})`,
  )
  const names = columns.map(name => `\`${name}\``)
  return {
    sql: `INSERT INTO ${table.tableName} (${names.join(', ')}) VALUES ${places.join(', ')}`,
    bind: rows.flatMap(row => columns.map(name => row[name] ?? null)),
  }
}

/** The statements with their values for rows that have the same columns; what they leave out is the model's default. */
export function insertsOf(table: ModelStatic<Model>, list: readonly object[]): Insert[] {
  const inserts: Insert[] = []
  for (let at = 0; at < list.length; at += rowsAtOnce) inserts.push(insertOf(table, list.slice(at, at + rowsAtOnce)))
  return inserts
}
