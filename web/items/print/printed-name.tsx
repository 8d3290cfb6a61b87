/** An item's name and tags on paper, where nothing is cut. */
import { IconFolder } from '@tabler/icons-react'
import type { FileItem, ItemTag } from '../../../src/api/items.ts'
import { StatusBadge } from '../status-badge.tsx'
import { TagDot } from '../tag-chip.tsx'
import styles from './printed-name.module.css'

export function PrintedName({ item }: { item: FileItem }) {
  return (
    <span className={styles.name}>
      {item.is_directory && <IconFolder className={styles.folder} size={14} stroke={1.75} aria-hidden />}
      <bdi className={styles.text}>{item.name}</bdi>
      <StatusBadge item={item} reason="beside" />
    </span>
  )
}

export const PrintedTags = ({ tags }: { tags: readonly ItemTag[] }) =>
  tags.map(tag => (
    <span key={tag.id} className={styles.tag}>
      <TagDot tag={tag} /> <bdi>{tag.name}</bdi>{' '}
    </span>
  ))
