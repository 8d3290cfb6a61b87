/**
 * Rows as one text each: SQLite's driver makes an object's properties one by one, which for a thousand items takes four
 * times as long as to read them from JSON.
 */

import { driverError } from './connections.ts'

/** What each column of a row is called in the statement. */
export type Columns<Row extends object> = Readonly<Record<keyof Row & string, string>>

export interface CellsRow {
  cells: string
}

/** All columns as the one that holds them. */
export const cellsOf = (columns: Readonly<Record<string, string>>): string =>
  `json_array(${Object.values(columns).join(', ')}) AS cells`

/** Whether a row holds bytes in one of these columns, as only damage has it: JSON takes none. */
export const holdsBytes = (error: unknown): boolean =>
  driverError(error).message?.includes('JSON cannot hold BLOB values') ?? false

/** The row again. */
export function rowOf<Row extends object>(columns: Columns<Row>, { cells }: CellsRow): Row {
  const values = JSON.parse(cells) as unknown[]
  const row: Record<string, unknown> = {}
  let index = 0
  for (const name in columns) row[name] = values[index++]
  return row as Row
}
