/** The grid's rows and columns: folders fill rows of their own, with the files below them. */

export interface Shape {
  total: number
  /** The number of folders, which come before the files. */
  folders: number
  /** 1 for a list. */
  columns: number
}

interface GridRow {
  /** The index of its first item, and the index after its last. */
  start: number
  end: number
  isFolders: boolean
}

const folderRows = ({ folders, columns }: Shape): number => Math.ceil(folders / columns)

export const rowCount = (shape: Shape): number =>
  folderRows(shape) + Math.ceil((shape.total - shape.folders) / shape.columns)

export function rowAt(row: number, shape: Shape): GridRow {
  const { total, folders, columns } = shape
  const above = folderRows(shape)
  const isFolders = row < above
  const start = isFolders ? row * columns : folders + (row - above) * columns
  return { start, end: Math.min(start + columns, isFolders ? folders : total), isFolders }
}

/** The row of the item at an index. */
export const rowOf = (index: number, shape: Shape): number =>
  index < shape.folders
    ? Math.floor(index / shape.columns)
    : folderRows(shape) + Math.floor((index - shape.folders) / shape.columns)

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
