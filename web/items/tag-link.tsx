/** A tag's name as a link to the files that have it. */
import { Link } from '@tanstack/react-router'
import type { ItemTag } from '../../src/api/items.ts'
import { tagLinkLabel } from './tag-chip.tsx'
import styles from './tag-link.module.css'

interface TagLinkProps {
  tag: Pick<ItemTag, 'id' | 'name'>
  /** Called when the link is followed. */
  onFollow?: () => void
}

export function TagLink({ tag, onFollow }: TagLinkProps) {
  return (
    <Link
      to="/search"
      search={{ q: '', tag_id: tag.id }}
      className={styles.link}
      aria-label={tagLinkLabel(tag)}
      onClick={onFollow}
    >
      {tag.name}
    </Link>
  )
}
