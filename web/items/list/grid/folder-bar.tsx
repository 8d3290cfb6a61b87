/** A folder in the grid: a bar with its name on up to two lines. */
import { memo } from 'react'
import { Check } from '../../../ui/check.tsx'
import { FavoriteStar } from '../../favorite-star.tsx'
import { ItemIcon } from '../../item-icon.tsx'
import { SharedSign } from '../../sharing/shared-sign.tsx'
import { FolderLink } from '../rows/folder-link.tsx'
import { RenameField } from '../rows/rename-field.tsx'
import type { RowProps } from '../rows/row.ts'
import styles from './folder-bar.module.css'
import { MoreButton } from './more-button.tsx'

export const FolderBar = memo(function FolderBar(props: RowProps) {
  const { item, isSelected, isSelecting, isActive, renaming, events } = props
  return (
    <>
      <span className={styles.icon} data-selecting={isSelecting || undefined}>
        <ItemIcon item={item} size={20} />
        {item.is_shared && (
          <span className={styles.shared}>
            <SharedSign size={12} />
          </span>
        )}
        <span className={styles.check}>
          <Check
            label={`Select ${item.name}`}
            checked={isSelected}
            tabIndex={isActive ? 0 : -1}
            onChange={event => events.toggle(item, event)}
          />
        </span>
      </span>
      {renaming === null ? (
        <FolderLink
          folderId={item.id}
          className={styles.name}
          title={item.name}
          onOpen={isSelecting ? undefined : () => events.open(item)}
        >
          {item.name}
        </FolderLink>
      ) : (
        <RenameField item={item} renaming={renaming} events={events} />
      )}
      {item.is_favorite && renaming === null && <FavoriteStar />}
      {renaming === null && (
        <span className={styles.more}>
          <MoreButton item={item} tabIndex={isActive ? 0 : -1} events={events} />
        </span>
      )}
    </>
  )
})
