/** The tags on paper. */
import type { Tag } from '../../../src/api/tags.ts'
import { PrintedTags as Names } from '../../items/print/printed-name.tsx'
import { PrintedList } from '../../ui/print/printed-list.tsx'

const columns = [
  { head: 'Name', cell: (tag: Tag) => <Names tags={[tag]} /> },
  { head: 'Files', isShort: true, isNumber: true, cell: (tag: Tag) => tag.file_count.toLocaleString('en-US') },
]

const nothing = () => undefined

export function PrintedTags({ tags }: { tags: readonly Tag[] }) {
  return (
    <PrintedList
      words={`${tags.length.toLocaleString('en-US')} ${tags.length === 1 ? 'tag' : 'tags'}`}
      rows={tags}
      total={tags.length}
      keyOf={({ id }) => id}
      columns={columns}
      loadMore={nothing}
    />
  )
}
