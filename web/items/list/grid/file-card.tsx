/** A card of the grid: the item's picture with its badges, name and size. */
import { memo } from 'react'
import { formatFullDate } from '../../../lib/words/format-date.ts'
import { formatSize } from '../../../lib/words/format-size.ts'
import { Check } from '../../../ui/check.tsx'
import { FavoriteStar } from '../../favorite-star.tsx'
import { ItemPicture } from '../../item-picture.tsx'
import { ItemTagDots } from '../../item-tags.tsx'
import { locationOf } from '../../place.ts'
import { SharedSign } from '../../sharing/shared-sign.tsx'
import { StatusBadge } from '../../status-badge.tsx'
import { LinkedName } from '../rows/linked-name.tsx'
import { RenameField } from '../rows/rename-field.tsx'
import type { RowProps } from '../rows/row.ts'
import styles from './file-card.module.css'
import { MoreButton } from './more-button.tsx'

export const FileCard = memo(function FileCard(props: RowProps) {
  const { item, isSelected, isSelecting, isActive, events } = props
  const tabIndex = isActive ? 0 : -1
  return (
    <>
      <div className={styles.picture}>
        <ItemPicture item={item} />
        <span className={styles.check} data-shown={isSelecting || undefined}>
          <Check
            label={`Select ${item.name}`}
            checked={isSelected}
            tabIndex={tabIndex}
            onChange={event => events.toggle(item, event)}
          />
        </span>
        {item.is_favorite && (
          <span className={styles.star}>
            <FavoriteStar size={13} />
          </span>
        )}
        <span className={styles.status}>
          <StatusBadge item={item} isSelecting={isSelecting} tabIndex={tabIndex} />
        </span>
      </div>
      <Words {...props} />
      <span className={styles.more}>
        <MoreButton item={item} tabIndex={tabIndex} events={events} />
      </span>
    </>
  )
})

function Words({ item, isSelecting, isActive, renaming, columns, events }: RowProps) {
  if (renaming !== null) {
    return <RenameField item={item} renaming={renaming} events={events} />
  }
  return (
    <>
      <LinkedName item={item} className={styles.name} onOpen={isSelecting ? undefined : () => events.open(item)} />
      <span className={styles.meta} title={formatFullDate(item.updated_at)}>
        {!item.is_directory && <span>{formatSize(item.size)}</span>}
        {item.is_shared && <SharedSign size={13} />}
        {columns.includes('location') && (
          <span className={styles.location} title={locationOf(item)} dir="auto">
            {locationOf(item)}
          </span>
        )}
        <ItemTagDots tags={item.tags} isSelecting={isSelecting} tabIndex={isActive ? 0 : -1} />
      </span>
    </>
  )
}
