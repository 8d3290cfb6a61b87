/** The trash on paper. */
import type { FileItem } from '../../../src/api/items.ts'
import { itemCount } from '../../items/counts.ts'
import type { Listing } from '../../items/list/listing.ts'
import { itemColumns, timeColumn } from '../../items/print/item-columns.tsx'
import { PrintedList } from '../../ui/print/printed-list.tsx'
import { daysRemaining } from './days-left.tsx'

const { name, folder, size } = itemColumns

const columns = [
  name,
  { ...folder, head: 'Was in' },
  size,
  timeColumn<FileItem>('Deleted', item => item.deleted_at),
  { head: 'Days left', isShort: true, isNumber: true, cell: daysRemaining },
]

export function PrintedTrash({ listing: { items, ...listing } }: { listing: Listing }) {
  return (
    <PrintedList {...listing} words={itemCount(listing.total)} rows={items} keyOf={({ id }) => id} columns={columns} />
  )
}
