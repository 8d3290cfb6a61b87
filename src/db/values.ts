/** Conditions over lists of values, which SQL has no type for. */
import type { DatabaseConfig } from '../config.ts'
import type { Bind } from './connections.ts'

/** Values in one statement; SQLite allows 32,766, and short statements are prepared faster. */
export const valuesAtOnce = 500

/** The condition that a column holds one of some values, which are bound from `$first` on. MariaDB knows no empty list. */
export const isOneOf = (column: string, values: readonly (number | string)[], first = 1): string =>
  values.length === 0 ? '1 = 0' : `${column} IN (${values.map((_, index) => `$${index + first}`).join(', ')})`

/**
 * The same for many, with the values to bind from `$1` on. SQLite takes them as one: its driver binds each by itself,
 * and every number of them would be a statement of its own, to be prepared anew.
 */
export function isOneOfMany(
  dialect: DatabaseConfig['dialect'],
  column: string,
  list: readonly (number | string)[],
): { condition: string; values: Bind[] } {
  if (dialect === 'mariadb') return { condition: isOneOf(column, list), values: [...list] }
  return { condition: `${column} IN (SELECT value FROM json_each($1))`, values: [JSON.stringify(list)] }
}
