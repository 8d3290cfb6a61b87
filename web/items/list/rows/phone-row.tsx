/** The cells of a row on a phone: a tap on the icon selects, elsewhere it opens. */
import { IconCheck, IconDotsVertical } from '@tabler/icons-react'
import { memo } from 'react'
import { formatDate } from '../../../lib/words/format-date.ts'
import { formatSize } from '../../../lib/words/format-size.ts'
import { FavoriteStar } from '../../favorite-star.tsx'
import { ItemIcon } from '../../item-icon.tsx'
import { ItemName } from '../../item-name.tsx'
import { ItemTagDots } from '../../item-tags.tsx'
import { locationOf } from '../../place.ts'
import { SharedSign } from '../../sharing/shared-sign.tsx'
import { StatusBadge } from '../../status-badge.tsx'
import styles from './phone-row.module.css'
import { RenameField } from './rename-field.tsx'
import type { RowProps } from './row.ts'

export const PhoneRow = memo(function PhoneRow(props: RowProps) {
  const { item, isSelected, isSelecting, renaming, events } = props
  return (
    <>
      <div role="gridcell" className={styles.tile}>
        <button
          type="button"
          className={styles.select}
          role="checkbox"
          aria-checked={isSelected}
          aria-label={`Select ${item.name}`}
          onClick={event => {
            event.stopPropagation()
            events.toggle(item, event)
          }}
        >
          {isSelected ? (
            <span className={styles.checked}>
              <IconCheck size={20} stroke={1.75} aria-hidden />
            </span>
          ) : (
            <ItemIcon item={item} size={36} />
          )}
        </button>
      </div>
      <div role="gridcell" className={styles.text}>
        {renaming === null ? <Words {...props} /> : <RenameField item={item} renaming={renaming} events={events} />}
      </div>
      <div role="gridcell" className={styles.more}>
        {!isSelecting && (
          <button
            type="button"
            className={styles.moreButton}
            aria-label={`More actions for ${item.name}`}
            aria-haspopup="menu"
            onClick={event => {
              event.stopPropagation()
              events.openMenu(item, event.currentTarget.getBoundingClientRect())
            }}
          >
            <IconDotsVertical size={20} stroke={1.75} aria-hidden />
          </button>
        )}
      </div>
    </>
  )
})

function Words({ item, isSelecting, columns, hasTags }: RowProps) {
  return (
    <>
      <div className={styles.name}>
        <ItemName item={item} />
      </div>
      <div className={styles.meta}>
        {item.is_favorite && <FavoriteStar size={13} />}
        {item.is_shared && <SharedSign />}
        <StatusBadge item={item} isSelecting={isSelecting} />
        {columns.includes('location') && (
          <span className={styles.location} dir="auto">
            {locationOf(item)}
          </span>
        )}
        {columns.includes('size') && !item.is_directory && <span>{formatSize(item.size)}</span>}
        {columns.includes('date') && <span>{formatDate(item.updated_at)}</span>}
        {hasTags && <ItemTagDots tags={item.tags} />}
      </div>
    </>
  )
}
