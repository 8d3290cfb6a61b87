/** How a list of the screen shows its rows. */
import type { ComponentType } from 'react'
import type { MenuAction, MenuPlace } from '../../ui/menu-props.ts'
import type { PrintedColumn } from '../../ui/print/printed-table.tsx'

export interface CellsProps<Row> {
  row: Row
  onOpen: () => void
  onMenu: (place: MenuPlace) => void
}

export interface Look<Row> {
  /** The heads of the columns, but for the last one, of the actions. */
  heads: readonly string[]
  /** The row's name for screen readers. */
  nameOf: (row: Row) => string
  /** The cells in wide windows, and on phones. */
  Desktop: ComponentType<CellsProps<Row>>
  Phone: ComponentType<CellsProps<Row>>
  /** The columns on paper. */
  printed: readonly PrintedColumn<Row>[]
  /** The class of the table. */
  className?: string
}

export interface RowActs<Row> {
  open: (row: Row) => void
  /** The actions of the row's menu, in groups. `onLeave` is called before the row leaves the list. */
  menuOf: (row: Row, onLeave: () => void) => MenuAction[][]
}
