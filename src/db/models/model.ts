/** A table as the code sees it: its name, the types of its columns, and which columns new rows may leave out. */
import type { Bind } from '../connections.ts'

export interface Model<Row extends object, New extends object = Row> {
  readonly table: string
  /** Values for the columns that a new row leaves out, unless that is NULL. */
  readonly defaults: Readonly<Record<string, Bind>>
  /** Columns whose given value is only what the statement finds the stored one by: SQL around the value's place. */
  readonly found: Readonly<Record<string, (place: string) => string>>
  /** Never set: these only carry the types of a row as it is read and as it is added. */
  readonly row?: Row
  readonly newRow?: New
}

export const model = <Row extends object, New extends object = Row>(
  table: string,
  defaults: Partial<Record<keyof Row & string, Bind>> = {},
  found: Partial<Record<keyof Row & string, (place: string) => string>> = {},
): Model<Row, New> => ({
  table,
  defaults: defaults as Record<string, Bind>,
  found: found as Record<string, (place: string) => string>,
})
