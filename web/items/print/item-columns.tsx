/** The columns of items on paper. */
import type { FileItem } from '../../../src/api/items.ts'
import { formatFullDate } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import type { PrintedColumn } from '../../ui/print/printed-table.tsx'
import { locationOf } from '../place.ts'
import { PrintedName, PrintedTags } from './printed-name.tsx'

const name = { head: 'Name', cell: (item: FileItem) => <PrintedName item={item} /> }
const tags = { head: 'Tags', width: '22%', cell: (item: FileItem) => <PrintedTags tags={item.tags} /> }
const folder = { head: 'Folder', cell: locationOf }
const size = {
  head: 'Size',
  isShort: true,
  isNumber: true,
  cell: (item: FileItem) => (item.is_directory ? '' : formatSize(item.size)),
}

/** A column of times. */
export const timeColumn = <Row,>(head: string, timeOf: (row: Row) => string | null): PrintedColumn<Row> => ({
  head,
  isShort: true,
  cell: row => {
    const time = timeOf(row)
    return time === null ? '' : formatFullDate(time)
  },
})

export const itemColumns = { name, tags, folder, size, date: timeColumn<FileItem>('Date', item => item.updated_at) }
