/** The statements that add rows to a model's table, and change one. */
import type { Bind } from './connections.ts'
import type { Model } from './models/model.ts'

/** Rows in one statement: few texts to prepare, and far from the 32,766 values that SQLite allows. */
const rowsAtOnce = 100

/** Ends an INSERT that gives its rows back, with all that the database has put into them, in no certain order. */
export const returning = ' RETURNING *'

interface Statement {
  sql: string
  bind: Bind[]
}

function insertOf(model: Model<object>, list: readonly object[]): Statement {
  const rows: Record<string, Bind>[] = list.map(row => ({ ...model.defaults, ...row }))
  const columns = Object.keys(rows[0] ?? {})
  const places = rows.map(
    (_, row) => `(${columns.map((_, index) => `$${row * columns.length + index + 1}`).join(', ')})`,
  )
  const names = columns.map(name => `\`${name}\``)
  return {
    sql: `INSERT INTO ${model.table} (${names.join(', ')}) VALUES ${places.join(', ')}`,
    bind: rows.flatMap(row => columns.map(name => row[name] ?? null)),
  }
}

/** The statements with their values for rows that have the same columns; what they leave out is the model's default. */
export function insertsOf(model: Model<object>, list: readonly object[]): Statement[] {
  const inserts: Statement[] = []
  for (let at = 0; at < list.length; at += rowsAtOnce) inserts.push(insertOf(model, list.slice(at, at + rowsAtOnce)))
  return inserts
}

/** The columns that are not given stay as they are. */
export function updateOf({ table }: Model<object>, columns: object, id: number): Statement {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  const places = given.map(([name], index) => `\`${name}\` = $${index + 1}`)
  const bind: Bind[] = [...given.map(([, value]) => value), id]
  return { sql: `UPDATE ${table} SET ${places.join(', ')} WHERE id = $${bind.length}`, bind }
}
