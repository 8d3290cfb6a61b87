/** Builds the statements that add rows to a model's table, and that change one. */
import type { Bind } from './connections.ts'
import type { Model } from './models/model.ts'

/** Rows per statement: few different texts to prepare, and far below the 32,766 values that SQLite allows. */
const rowsAtOnce = 100

interface Statement {
  sql: string
  bind: Bind[]
}

/** Statements built before, by table, columns and number of rows; there are few different ones. */
const texts = new Map<string, string>()

const quoted = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')

function textOf({ table, found }: Model<object>, columns: readonly string[], count: number): string {
  const key = `${table} ${count} ${columns.join()}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const places = Array.from({ length: count }, (_, row) => {
    const values = columns.map((name, index) => {
      const place = `$${row * columns.length + index + 1}`
      return found[name]?.(place) ?? place
    })
    return `(${values.join(', ')})`
  })
  const text = `INSERT INTO ${table} (${quoted(columns)}) VALUES ${places.join(', ')}`
  texts.set(key, text)
  return text
}

function insertOf(model: Model<object>, list: readonly object[]): Statement {
  const rows: Record<string, Bind>[] = list.map(row => ({ ...model.defaults, ...row }))
  const columns = Object.keys(rows[0] ?? {})
  return {
    sql: textOf(model, columns, rows.length),
    bind: rows.flatMap(row => columns.map(name => row[name] ?? null)),
  }
}

/**
 * The RETURNING clause for new ids. It includes the columns that identify a row, because the order is not guaranteed.
 */
export const returning = (keys: readonly string[]): string => ` RETURNING id, ${quoted(keys)}`

/** Returns the ids of added rows in the order of `list`, from the rows that RETURNING gave. */
export function idsOf(list: readonly object[], keys: readonly string[], returned: readonly object[]): number[] {
  const keyOf = (row: object): string => JSON.stringify(keys.map(key => (row as Record<string, Bind>)[key] ?? null))
  const ids = new Map(returned.map(row => [keyOf(row), (row as { id: number }).id]))
  return list.map(row => ids.get(keyOf(row)) as number)
}

/** Builds statements and values for rows that all have the same columns; missing columns get the model's defaults. */
export function insertsOf(model: Model<object>, list: readonly object[]): Statement[] {
  const inserts: Statement[] = []
  for (let at = 0; at < list.length; at += rowsAtOnce) inserts.push(insertOf(model, list.slice(at, at + rowsAtOnce)))
  return inserts
}

/** Builds an UPDATE of one row; columns that are undefined stay as they are. */
export function updateOf({ table }: Model<object>, columns: object, id: number): Statement {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  const places = given.map(([name], index) => `\`${name}\` = $${index + 1}`)
  const bind: Bind[] = [...given.map(([, value]) => value), id]
  return { sql: `UPDATE ${table} SET ${places.join(', ')} WHERE id = $${bind.length}`, bind }
}
