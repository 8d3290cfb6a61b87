/** Conditions over lists of values, which SQL has no type for. */

/** Values in one statement; SQLite allows 32,766, and short statements are prepared faster. */
export const valuesAtOnce = 500

/** The condition that a column holds one of some values, which are bound from `$first` on. */
export const isOneOf = (column: string, values: readonly (number | string)[], first = 1): string =>
  `${column} IN (${values.map((_, index) => `$${index + first}`).join(', ')})`
