/** A tag: a dot of its colour and its name. */
import { IconX } from '@tabler/icons-react'
import type { ItemTag } from '../../src/api/items.ts'
import styles from './tag-chip.module.css'

/** A dot in the tag's colour; `label` adds the tag's name for dots without a name next to them. */
export function TagDot({ tag, label }: { tag: Pick<ItemTag, 'name' | 'color'>; label?: boolean }) {
  const names = label ? { role: 'img', 'aria-label': `Tag ${tag.name}`, title: tag.name } : { 'aria-hidden': true }
  return <span className={styles.dot} style={{ background: tag.color }} {...names} />
}

export function TagChip({ tag, onRemove }: { tag: Pick<ItemTag, 'name' | 'color'>; onRemove?: () => void }) {
  return (
    <span className={styles.chip}>
      <TagDot tag={tag} />
      <span className={styles.name} title={tag.name} dir="auto">
        {tag.name}
      </span>
      {onRemove && (
        <button type="button" className={styles.remove} aria-label={`Remove tag ${tag.name}`} onClick={onRemove}>
          <IconX size={14} stroke={1.75} aria-hidden />
        </button>
      )}
    </span>
  )
}
