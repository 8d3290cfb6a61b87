/** Conditions over lists of values, for which SQL has no type. */
import type { DatabaseConfig } from '../config-values.ts'
import type { Bind } from './connections.ts'

/** Values per statement. SQLite allows 32,766, but short statements are prepared faster. */
export const valuesAtOnce = 500

/**
 * The condition that a column equals one of some values, bound from `$first` on. MariaDB does not accept an empty list.
 */
export const isOneOf = (column: string, values: readonly (number | string)[], first = 1): string =>
  values.length === 0 ? '1 = 0' : `${column} IN (${values.map((_, index) => `$${index + first}`).join(', ')})`

/**
 * Like `isOneOf` for long lists; returns the values to bind from `$1` on. SQLite gets the list as one JSON value: its
 * driver binds values one by one, and each length of list would need a statement of its own to be prepared.
 */
export function isOneOfMany(
  dialect: DatabaseConfig['dialect'],
  column: string,
  list: readonly (number | string)[],
): { condition: string; values: Bind[] } {
  if (dialect === 'mariadb' || list.length === 1) return { condition: isOneOf(column, list), values: [...list] }
  return { condition: `${column} IN (SELECT value FROM json_each($1))`, values: [JSON.stringify(list)] }
}
