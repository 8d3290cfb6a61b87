/** The first tags of an item in little room, and how many more there are. */
import type { ItemTag } from '../../src/api/items.ts'
import styles from './item-tags.module.css'
import { TagChip, TagDot } from './tag-chip.tsx'

/** Tags that are shown before the rest is only counted. */
const shownTags = 2

/** What stands behind `+N`; a count would say nothing of which ones they are. */
function Rest({ tags, className }: { tags: readonly ItemTag[]; className: string | undefined }) {
  if (tags.length <= shownTags) return null
  const names = tags.map(({ name }) => name).join(', ')
  return (
    <span className={className} title={names} role="img" aria-label={`Tags: ${names}`}>
      +{tags.length - shownTags}
    </span>
  )
}

/** With their names. */
export function ItemTags({ tags }: { tags: readonly ItemTag[] }) {
  if (tags.length === 0) return null
  return (
    <span className={styles.tags}>
      {tags.slice(0, shownTags).map(tag => (
        <TagChip key={tag.id} tag={tag} />
      ))}
      <Rest tags={tags} className={styles.count} />
    </span>
  )
}

/** As dots of their colours, where names have no room. */
export function ItemTagDots({ tags }: { tags: readonly ItemTag[] }) {
  if (tags.length === 0) return null
  return (
    <span className={styles.dots}>
      {tags.slice(0, shownTags).map(tag => (
        <TagDot key={tag.id} tag={tag} label />
      ))}
      <Rest tags={tags} className={undefined} />
    </span>
  )
}
