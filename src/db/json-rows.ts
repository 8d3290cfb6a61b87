/**
 * Reads each row as one JSON text. SQLite's driver sets an object's properties one by one, which for a thousand items
 * takes four times as long as parsing JSON.
 */

import { driverError } from './connections.ts'

/** The SQL name or expression for each column of a row. */
export type Columns<Row extends object> = Readonly<Record<keyof Row & string, string>>

export interface JsonRow {
  json_row: string
}

/** Selects all columns as one JSON array, `json_row`. */
export const selectJson = (columns: Readonly<Record<string, string>>): string =>
  `json_array(${Object.values(columns).join(', ')}) AS json_row`

/** Selects all columns under their names. */
export const selectNamed = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, column]) => (column.endsWith(`.${name}`) ? column : `${column} AS ${name}`))
    .join(', ')

/** Whether the error says that a text column holds bytes. Only a damaged row does; JSON cannot represent bytes. */
export const holdsBytes = (error: unknown): boolean =>
  driverError(error).message?.includes('JSON cannot hold BLOB values') ?? false

/** Turns the JSON array back into the row. */
export function rowOf<Row extends object>(columns: Columns<Row>, { json_row }: JsonRow): Row {
  const values = JSON.parse(json_row) as unknown[]
  const row: Record<string, unknown> = {}
  let index = 0
  for (const name in columns) row[name] = values[index++]
  return row as Row
}
