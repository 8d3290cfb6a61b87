/** What tables show of a file or folder. */
import type { FileItem } from '../src/api/items.ts'
import { formatSize, formatTime } from '../terminal/format.ts'
import { type Column, formatTable } from '../terminal/table.ts'

export const sizeCell = (item: FileItem): string => (item.is_directory ? '-' : formatSize(item.size))

const slashOf = (item: FileItem): string => (item.is_directory ? '/' : '')

/** What holds a file back, in words; nothing for one that is approved. */
const statusNote = ({ validation_status: status }: FileItem): string => (status === 'approved' ? '' : ` (${status})`)

export const nameCell = (item: FileItem): string => `${item.name}${slashOf(item)}${statusNote(item)}`
export const pathCell = (item: FileItem): string => `${item.path}${slashOf(item)}`

const sizeColumn: Column = { head: 'SIZE', align: 'right' }

/** A line for each item: its size, and under `head` its path. */
export const formatPaths =
  (head: string) =>
  (items: readonly FileItem[]): string =>
    formatTable(
      [sizeColumn, { head }],
      items.map(item => [sizeCell(item), pathCell(item)]),
    )

/** A line for each item, from wherever it is: size, time of change, path. */
export const formatHits = (items: readonly FileItem[]): string =>
  formatTable(
    [sizeColumn, { head: 'CHANGED' }, { head: 'PATH' }],
    items.map(item => [sizeCell(item), formatTime(item.updated_at), `${pathCell(item)}${statusNote(item)}`]),
  )
