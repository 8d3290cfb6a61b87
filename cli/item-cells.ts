/** Table cells for files and folders. */
import type { FileItem } from '../src/api/items.ts'
import { formatSize, formatTime } from '../terminal/format.ts'
import { type Column, formatTable } from '../terminal/table.ts'
import { shownPath } from './places.ts'

export const sizeCell = (item: FileItem): string => (item.is_directory ? '-' : formatSize(item.size))

const slashOf = (item: FileItem): string => (item.is_directory ? '/' : '')

/** Returns the status of a file in words; empty if it is approved. */
const statusNote = ({ validation_status: status }: FileItem): string => (status === 'approved' ? '' : ` (${status})`)

export const nameCell = (item: FileItem): string => `${item.name}${slashOf(item)}${statusNote(item)}`
export const pathCell = (item: FileItem): string => `${shownPath(item)}${slashOf(item)}`

const sizeColumn: Column = { head: 'SIZE', align: 'right' }

/** Formats a line for each item: its size, and its path under `head`. */
export const formatPaths =
  (head: string) =>
  (items: readonly FileItem[]): string =>
    formatTable(
      [sizeColumn, { head }],
      items.map(item => [sizeCell(item), pathCell(item)]),
    )

/** Formats a line for each item of any folder: size, time of change, path. */
export const formatHits = (items: readonly FileItem[]): string =>
  formatTable(
    [sizeColumn, { head: 'CHANGED' }, { head: 'PATH' }],
    items.map(item => [sizeCell(item), formatTime(item.updated_at), `${pathCell(item)}${statusNote(item)}`]),
  )
