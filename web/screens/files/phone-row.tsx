/** The cells of one item on a phone: the tile selects, the rest opens. */
import { IconCheck, IconDotsVertical } from '@tabler/icons-react'
import { memo } from 'react'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { formatDate } from '../../lib/format-date.ts'
import { formatSize } from '../../lib/format-size.ts'
import styles from './phone-row.module.css'
import { RenameField } from './rename-field.tsx'
import type { RowProps } from './row.ts'

export const PhoneRow = memo(function PhoneRow({ item, isSelected, isSelecting, isRenaming, events }: RowProps) {
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
        {isRenaming ? (
          <RenameField item={item} onEnd={name => events.endRename(item, name)} />
        ) : (
          <>
            <div className={styles.name}>
              <ItemName item={item} />
            </div>
            <div className={styles.meta}>
              {!item.is_directory && <span>{formatSize(item.size)}</span>}
              <span>{formatDate(item.updated_at)}</span>
            </div>
          </>
        )}
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
