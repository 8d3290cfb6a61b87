/** An item's first tags, each a link to its files, and the number of further ones. */
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ItemTag } from '../../src/api/items.ts'
import { useMay } from '../lib/server/permissions.ts'
import styles from './item-tags.module.css'
import { RowLink } from './list/rows/row-link.tsx'
import { TagChip, TagDot, tagLinkLabel } from './tag-chip.tsx'

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

interface ItemTagsProps {
  tags: readonly ItemTag[]
  /** Undefined on a phone, where a link would be too small for a finger; the details have one. */
  tabIndex?: number
  /** Whether a click selects the item instead of following the link. */
  isSelecting?: boolean
}

/** Tags with their names. */
export function ItemTags({ tags, ...rest }: ItemTagsProps) {
  if (tags.length === 0) return null
  return (
    <span className={styles.tags}>
      {tags.slice(0, shownTags).map(tag => (
        <TagLink key={tag.id} tag={tag} {...rest}>
          <TagChip tag={tag} />
        </TagLink>
      ))}
      <Rest tags={tags} className={styles.count} />
    </span>
  )
}

/** Tags as coloured dots, where names do not fit. */
export function ItemTagDots({ tags, ...rest }: ItemTagsProps) {
  if (tags.length === 0) return null
  return (
    <span className={styles.dots}>
      {tags.slice(0, shownTags).map(tag => (
        <TagLink key={tag.id} tag={tag} {...rest}>
          <TagDot tag={tag} label />
        </TagLink>
      ))}
      <Rest tags={tags} className={undefined} />
    </span>
  )
}

type TagLinkProps = Omit<ItemTagsProps, 'tags'> & { tag: ItemTag; children: ReactNode }

function TagLink({ tag, tabIndex, isSelecting, children }: TagLinkProps) {
  const navigate = useNavigate()
  const maySearch = useMay('files:search')
  if (tabIndex === undefined || !maySearch) return <span className={styles.tag}>{children}</span>
  const open = () => void navigate({ to: '/search', search: { q: '', tag_id: tag.id } })
  const label = tagLinkLabel(tag)
  return (
    <RowLink
      to={`search?tag_id=${tag.id}`}
      className={styles.tag}
      title={label}
      label={label}
      tabIndex={tabIndex}
      onOpen={isSelecting ? undefined : open}
    >
      {children}
    </RowLink>
  )
}
