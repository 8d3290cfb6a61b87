/** Which columns a list shows besides names, and how wide they are. */
import { type ListColumn, type Preferences, type WideColumn, wideColumns } from '../../../../src/api/preferences.ts'

/** The column that depends on the list: the type or, in a list across many folders, the folder. */
export type MiddleColumn = 'type' | 'location'

/** What decides which columns a list can have. */
export interface ListShape {
  middle: MiddleColumn
  /** Whether items of several people may be in it. */
  hasOwners: boolean
}

/** Whether a list can have a column. */
export const isOffered = (column: ListColumn, { middle, hasOwners }: ListShape): boolean =>
  column !== (middle === 'type' ? 'location' : 'type') && (hasOwners || column !== 'owner')

export const columnLabels: Record<ListColumn, string> = {
  tags: 'Tags',
  type: 'Type',
  location: 'Location',
  owner: 'Owner',
  size: 'Size',
  date: 'Date',
  created: 'Created',
}

/** What a phone calls the choice: it has no columns. */
export const belowNames = 'Show below the name'

export interface Columns {
  hasTags: boolean
  /** From left to right. */
  wide: readonly WideColumn[]
  /** The width of each in pixels. */
  widths: readonly number[]
}

/** Pixels of what is always there: check and actions. */
const fixedWidth = 44 + 128
/** Pixels that names keep where columns give way for them; the second also where widths and further columns must. */
const nameWidth = 300
export const leastNameWidth = 160
/** The columns that a narrow list leaves out, in this order, so that names keep `nameWidth`. */
const givingWay: readonly WideColumn[] = ['created', 'owner', 'type']
/** The columns that it leaves out after them, so that names keep `leastNameWidth`. */
const givingWayLast: readonly WideColumn[] = ['size', 'date', 'location']

/** The folder's path takes what names can spare. */
const usualWidths = (room: number): Required<Record<WideColumn, number>> => ({
  type: 108,
  location: Math.max(96, Math.round(room * 0.24)),
  owner: 120,
  size: 92,
  date: 128,
  created: 128,
})

/** Chooses among the columns that the user wants those that fit into `room` pixels. */
export function fitColumns(wanted: Preferences, shape: ListShape, room: number): Columns {
  const usual = usualWidths(room)
  let wide = wideColumns.filter(column => isOffered(column, shape) && wanted.columns.includes(column))
  let widthOf = (column: WideColumn) => wanted.column_widths[column] ?? usual[column]
  const left = () => wide.reduce((rest, column) => rest - widthOf(column), room - fixedWidth)
  for (const column of givingWay) if (left() < nameWidth) wide = wide.filter(one => one !== column)
  // Widths that were set in a larger window.
  if (left() < leastNameWidth) widthOf = column => usual[column]
  for (const column of givingWayLast) if (left() < leastNameWidth) wide = wide.filter(one => one !== column)
  return { hasTags: wanted.columns.includes('tags'), wide, widths: wide.map(widthOf) }
}

const tracksProperty = '--list-columns'
const tracksOf = (widths: readonly number[]): string => widths.map(width => `${width}px`).join(' ')

/** The style of a list's element that gives the tracks of its columns to the grids of head, rows and placeholders. */
export const trackStyle = (widths: readonly number[]): object => ({ [tracksProperty]: tracksOf(widths) })

/** Shows widths without rendering anything. */
export const showTracks = (list: HTMLElement, widths: readonly number[]): void =>
  list.style.setProperty(tracksProperty, tracksOf(widths))
