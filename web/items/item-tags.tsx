/** An item's first tags, and the number of further ones. */
import type { ItemTag } from '../../src/api/items.ts'
import styles from './item-tags.module.css'
import { TagChip, TagDot } from './tag-chip.tsx'

/** How many tags are shown. */
const shownTags = 2

/** The names behind `+N`, which the number alone does not tell. */
function Rest({ tags, className }: { tags: readonly ItemTag[]; className: string | undefined }) {
  if (tags.length <= shownTags) return null
  const names = tags.map(({ name }) => name).join(', ')
  return (
    <span className={className} title={names} role="img" aria-label={`Tags: ${names}`}>
      +{tags.length - shownTags}
    </span>
  )
}

/** Tags with their names. */
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

/** Tags as coloured dots, where names do not fit. */
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
