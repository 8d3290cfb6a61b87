/** The cells of a row, in wide windows and on phones. */
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconDotsVertical, IconTrash } from '@tabler/icons-react'
import type { FileItem } from '../../../src/api/items.ts'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { locationOf } from '../../items/place.ts'
import { pageConfig } from '../../lib/server/config.ts'
import { formatDate, formatFullDate } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { Badge } from '../../ui/badge.tsx'
import { Check } from '../../ui/check.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { MenuPlace } from '../../ui/menu-props.ts'
import { DaysLeft, daysRemaining, isSoon } from './days-left.tsx'
import styles from './trash-list.module.css'
import type { TrashActions } from './use-trash-actions.tsx'

interface RowProps {
  item: FileItem
  isSelected: boolean
  isSelecting: boolean
  /** Whether Tab reaches the controls of this row. */
  isActive: boolean
  onToggle: (event: { shiftKey: boolean }) => void
  onMenu: (place: MenuPlace) => void
  actions: TrashActions
}

/** Items in the trash have no thumbnail. */
const withoutPicture = (item: FileItem): FileItem => ({ ...item, thumbnail_path: null })

export function DesktopRow({ item, isSelected, isActive, onToggle, actions }: RowProps) {
  const tabIndex = isActive ? 0 : -1
  return (
    <>
      <div role="gridcell" className={styles.check}>
        <Check label={`Select ${item.name}`} checked={isSelected} tabIndex={tabIndex} onChange={onToggle} />
      </div>
      <div role="gridcell" className={styles.name}>
        <ItemIcon item={withoutPicture(item)} size={24} />
        <span className={styles.text} title={item.name}>
          <ItemName item={item} />
        </span>
        {item.is_directory && <Badge>Folder</Badge>}
      </div>
      <div role="gridcell" className={styles.place} title={locationOf(item)} dir="auto">
        {locationOf(item)}
      </div>
      <div role="gridcell" className={styles.size}>
        {item.is_directory ? '—' : formatSize(item.size)}
      </div>
      <div role="gridcell" title={item.deleted_at === null ? undefined : formatFullDate(item.deleted_at)}>
        {item.deleted_at === null ? 'Unknown' : formatDate(item.deleted_at)}
      </div>
      <div role="gridcell">
        <DaysLeft days={daysRemaining(item)} of={pageConfig.trash_retention_days} />
      </div>
      <div role="gridcell" className={styles.actions}>
        {actions.mayRestore && (
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
            aria-label={`Restore ${item.name}`}
            tabIndex={tabIndex}
            onClick={event => {
              event.stopPropagation()
              actions.restore([item])
            }}
          >
            Restore
          </Button>
        )}
        {actions.mayRemove && (
          <IconButton
            label={`Delete ${item.name} permanently`}
            title="Delete permanently"
            icon={IconTrash}
            tabIndex={tabIndex}
            onClick={event => {
              event.stopPropagation()
              actions.remove([item])
            }}
          />
        )}
      </div>
    </>
  )
}

export function PhoneRow({ item, isSelected, isSelecting, onToggle, onMenu, actions }: RowProps) {
  const days = daysRemaining(item)
  return (
    <>
      <div role="gridcell" className={styles.tile}>
        <button
          type="button"
          role="checkbox"
          aria-checked={isSelected}
          aria-label={`Select ${item.name}`}
          onClick={event => {
            event.stopPropagation()
            onToggle(event)
          }}
        >
          {isSelected ? (
            <span className={styles.checked}>
              <IconCheck size={20} stroke={1.75} aria-hidden />
            </span>
          ) : (
            <ItemIcon item={withoutPicture(item)} size={36} />
          )}
        </button>
      </div>
      <div role="gridcell" className={styles.words}>
        <div className={styles.phoneName}>
          <ItemName item={item} />
        </div>
        <div className={styles.meta}>
          {item.is_directory ? <Badge>Folder</Badge> : <span>{formatSize(item.size)}</span>}
          <span>{item.deleted_at === null ? 'Unknown' : formatDate(item.deleted_at)}</span>
          {days !== null && (
            <span data-soon={isSoon(days) || undefined}>{days === 1 ? '1 day left' : `${days} days left`}</span>
          )}
        </div>
      </div>
      <div role="gridcell" className={styles.phoneActions}>
        {!isSelecting && actions.mayRestore && (
          <>
            <IconButton
              label={`Restore ${item.name}`}
              icon={IconArrowBackUp}
              iconSize={20}
              size="lg"
              onClick={event => {
                event.stopPropagation()
                actions.restore([item])
              }}
            />
            <IconButton
              label={`More actions for ${item.name}`}
              icon={IconDotsVertical}
              iconSize={20}
              size="lg"
              aria-haspopup="menu"
              onClick={event => {
                event.stopPropagation()
                onMenu(event.currentTarget.getBoundingClientRect())
              }}
            />
          </>
        )}
      </div>
    </>
  )
}
