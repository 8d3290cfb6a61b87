/** The grid's rows and columns: folders fill rows of their own, with the files below them. */

export interface Shape {
  total: number
  /** The number of folders, which come before the files. */
  folders: number
  /** 1 for a list. */
  columns: number
  /** The indices at which sections begin, each with a new row; the first is 0. Default: folders, then files. */
  starts?: readonly number[]
}

interface GridRow {
  /** The index of its first item, and the index after its last. */
  start: number
  end: number
  isFolders: boolean
}

interface Section {
  /** The index of its first item, and the index after its last. */
  start: number
  end: number
  rows: number
}

function sectionsOf({ total, folders, columns, starts = [0, folders] }: Shape): Section[] {
  return starts.map((start, section) => {
    const end = starts[section + 1] ?? total
    return { start, end, rows: Math.ceil((end - start) / columns) }
  })
}

export const rowCount = (shape: Shape): number => sectionsOf(shape).reduce((sum, { rows }) => sum + rows, 0)

export function rowAt(row: number, shape: Shape): GridRow {
  const { total, folders, columns } = shape
  let above = 0
  for (const { start, end, rows } of sectionsOf(shape)) {
    if (row < above + rows) {
      const first = start + (row - above) * columns
      return { start: first, end: Math.min(first + columns, end), isFolders: first < folders }
    }
    above += rows
  }
  return { start: total, end: total, isFolders: false }
}

/** The row of the item at an index. */
export function rowOf(index: number, shape: Shape): number {
  let above = 0
  for (const { start, end, rows } of sectionsOf(shape)) {
    if (index < end) return above + Math.floor((index - start) / shape.columns)
    above += rows
  }
  return above
}

/** The index some rows further down, in the same column or, in a shorter row, its last. */
function moveRows(index: number, by: number, shape: Shape): number {
  const row = rowOf(index, shape)
  const column = index - rowAt(row, shape).start
  const { start, end } = rowAt(Math.min(rowCount(shape) - 1, Math.max(0, row + by)), shape)
  return Math.min(start + column, end - 1)
}

/** Rows per PageUp and PageDown. */
const pageRows = 10
const rowSteps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows }
const itemSteps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** The index that a key leads to (from -1 when no item is active); null when the key does not navigate. */
export function destinationOf(key: string, index: number, shape: Shape): number | null {
  const last = shape.total - 1
  if (last < 0) return null
  if (key === 'Home') return 0
  if (key === 'End') return last
  const rows = rowSteps[key]
  const items = shape.columns > 1 ? itemSteps[key] : undefined
  if (rows === undefined && items === undefined) return null
  if (index < 0) return 0
  return rows === undefined ? Math.min(last, Math.max(0, index + (items ?? 0))) : moveRows(index, rows, shape)
}
