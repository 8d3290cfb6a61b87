/** A tag: a dot of its colour and its name. */
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ItemTag } from '../../src/api/items.ts'
import styles from './tag-chip.module.css'

/** The accessible name of a link to the files that have a tag. */
export const tagLinkLabel = ({ name }: Pick<ItemTag, 'name'>): string => `Files with the tag ${name}`

/** A dot in the tag's colour; `label` adds the tag's name for dots without a name next to them. */
export function TagDot({ tag, label }: { tag: Pick<ItemTag, 'name' | 'color'>; label?: boolean }) {
  const names = label ? { role: 'img', 'aria-label': `Tag ${tag.name}`, title: tag.name } : { 'aria-hidden': true }
  return <span className={styles.dot} style={{ background: tag.color }} {...names} />
}

interface TagChipProps {
  tag: Pick<ItemTag, 'name' | 'color'>
  /** The name as a link; plain text without it. */
  link?: ReactNode
  onRemove?: (() => void) | undefined
}

export function TagChip({ tag, link, onRemove }: TagChipProps) {
  return (
    <span className={styles.chip}>
      <TagDot tag={tag} />
      <span className={styles.name} title={tag.name} dir="auto">
        {link ?? tag.name}
      </span>
      {onRemove && (
        <button type="button" className={styles.remove} aria-label={`Remove tag ${tag.name}`} onClick={onRemove}>
          <IconX size={14} stroke={1.75} aria-hidden />
        </button>
      )}
    </span>
  )
}
