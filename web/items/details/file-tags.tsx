/** A file's tags, each a link to its files with a button to remove it, and a button that opens the tag manager. */
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { FileItem, ItemTag } from '../../../src/api/items.ts'
import { untagFiles } from '../../../src/api/tags.ts'
import { refreshTags } from '../../lib/data/tags.ts'
import { call } from '../../lib/server/call.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { showError } from '../../ui/toast.tsx'
import { useRights } from '../rights.ts'
import { TagChip } from '../tag-chip.tsx'
import { TagLink } from '../tag-link.tsx'
import styles from './file-tags.module.css'
import { Section } from './section.tsx'
import { closeSmallDetails } from './use-details.ts'

export function FileTags({ item, onAdd }: { item: FileItem; onAdd: () => void }) {
  const mayWrite = useRights()([item]).tag
  const [removed, setRemoved] = useState<readonly number[]>([])
  const shown = item.tags.filter(({ id }) => !removed.includes(id))

  const remove = async (tag: ItemTag) => {
    setRemoved(ids => [...ids, tag.id])
    try {
      await call(untagFiles, { tag_id: tag.id, file_ids: [item.id] })
      await refreshTags()
    } catch (error) {
      showError(messageOf(error, 'Failed to update tags'))
    }
    setRemoved(ids => ids.filter(id => id !== tag.id))
  }
  const maySearch = useMay('files:search')
  if (!mayWrite && shown.length === 0) return null
  return (
    <Section title="Tags">
      <ul className={styles.tags}>
        {shown.map(tag => (
          <li key={tag.id} className={styles.tag}>
            <TagChip
              tag={tag}
              link={maySearch ? <TagLink tag={tag} onFollow={closeSmallDetails} /> : undefined}
              onRemove={mayWrite ? () => void remove(tag) : undefined}
            />
          </li>
        ))}
        {mayWrite && (
          <li>
            <button type="button" className={styles.add} aria-label="Add tags" onClick={onAdd}>
              <IconPlus size={14} stroke={1.75} aria-hidden />
              Add
            </button>
          </li>
        )}
      </ul>
    </Section>
  )
}
