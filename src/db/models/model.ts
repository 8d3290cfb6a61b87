/** A table as the code knows it: its name, the columns of its rows as types, and what new rows may leave out. */
import type { Bind } from '../connections.ts'

export interface Model<Row extends object, New extends object = Row> {
  readonly table: string
  /** What a new row has in the columns that it leaves out, where that is not NULL. */
  readonly defaults: Readonly<Record<string, Bind>>
  /** Never there: they carry the types of a row, as it is read and as it is added. */
  readonly row?: Row
  readonly newRow?: New
}

export const model = <Row extends object, New extends object = Row>(
  table: string,
  defaults: Partial<Record<keyof Row & string, Bind>> = {},
): Model<Row, New> => ({ table, defaults: defaults as Record<string, Bind> })
