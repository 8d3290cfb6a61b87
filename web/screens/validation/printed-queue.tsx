/** The validation queue on paper. */
import type { PendingFile } from '../../../src/api/validation.ts'
import { fileCount } from '../../items/counts.ts'
import { itemColumns, timeColumn } from '../../items/print/item-columns.tsx'
import { placeOf, senderOf } from '../../items/review/origin.ts'
import { PrintedList } from '../../ui/print/printed-list.tsx'

const { name, tags, size } = itemColumns

const columns = [
  name,
  tags,
  { head: 'From', cell: senderOf },
  { head: 'Folder', cell: placeOf },
  size,
  timeColumn<PendingFile>('Uploaded', file => file.created_at),
]

const nothing = () => undefined

export function PrintedQueue({ files }: { files: readonly PendingFile[] }) {
  return (
    <PrintedList
      words={fileCount(files.length)}
      rows={files}
      total={files.length}
      keyOf={({ id }) => id}
      columns={columns}
      loadMore={nothing}
    />
  )
}
