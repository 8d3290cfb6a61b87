/** Where items stand in rows and columns: the folders in rows of their own, the files below them. */

export interface Shape {
  total: number
  /** Folders before the first file. */
  folders: number
  /** 1 for a list. */
  columns: number
}

interface GridRow {
  /** Positions of its first item and of the one behind its last. */
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

/** The row of the item at a position. */
export const rowOf = (index: number, shape: Shape): number =>
  index < shape.folders
    ? Math.floor(index / shape.columns)
    : folderRows(shape) + Math.floor((index - shape.folders) / shape.columns)

/** The position so many rows further down, in the same column or, in a shorter row, its last. */
function moveRows(index: number, by: number, shape: Shape): number {
  const row = rowOf(index, shape)
  const column = index - rowAt(row, shape).start
  const { start, end } = rowAt(Math.min(rowCount(shape) - 1, Math.max(0, row + by)), shape)
  return Math.min(start + column, end - 1)
}

/** Rows that PageUp and PageDown go. */
const pageRows = 10
const rowSteps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows }
const itemSteps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** Where a key leads to from a position, -1 standing for none yet; null for keys that lead nowhere. */
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
