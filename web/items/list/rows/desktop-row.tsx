/** The cells of a row in wide windows. */
import { memo } from 'react'
import { kindLabel } from '../../../../src/api/kinds.ts'
import type { WideColumn } from '../../../../src/api/preferences.ts'
import { formatDate, formatFullDate } from '../../../lib/words/format-date.ts'
import { formatSize } from '../../../lib/words/format-size.ts'
import { Check } from '../../../ui/check.tsx'
import { FavoriteStar } from '../../favorite-star.tsx'
import { ItemIcon } from '../../item-icon.tsx'
import { ItemTags } from '../../item-tags.tsx'
import { locationOf } from '../../place.ts'
import { SharedSign } from '../../sharing/shared-sign.tsx'
import { locationPath } from '../../show-in-folder.ts'
import { StatusBadge } from '../../status-badge.tsx'
import styles from './desktop-row.module.css'
import { LinkedName } from './linked-name.tsx'
import { RenameField } from './rename-field.tsx'
import type { RowProps } from './row.ts'
import { RowActions } from './row-actions.tsx'
import { RowLink } from './row-link.tsx'

export const DesktopRow = memo(function DesktopRow(props: RowProps) {
  const { item, isSelected, isActive, columns, events } = props
  return (
    <>
      <div role="gridcell" className={styles.check}>
        <Check
          label={`Select ${item.name}`}
          checked={isSelected}
          tabIndex={isActive ? 0 : -1}
          onChange={event => events.toggle(item, event)}
        />
      </div>
      <div role="gridcell" className={styles.name}>
        <ItemIcon item={item} size={24} />
        <NameCell {...props} />
      </div>
      {columns.map(column => (
        <Cell key={column} column={column} {...props} />
      ))}
      <div role="gridcell" className={styles.actions}>
        <RowActions item={item} isActive={isActive} events={events} />
      </div>
    </>
  )
})

function NameCell({ item, isSelecting, isActive, renaming, hasTags, events }: RowProps) {
  if (renaming !== null) {
    return <RenameField item={item} renaming={renaming} events={events} />
  }
  return (
    <>
      <LinkedName item={item} className={styles.text} onOpen={isSelecting ? undefined : () => events.open(item)} />
      {item.is_favorite && <FavoriteStar />}
      {item.is_shared && <SharedSign />}
      <StatusBadge item={item} isSelecting={isSelecting} tabIndex={isActive ? 0 : -1} />
      {hasTags && (
        <span className={styles.tags}>
          <ItemTags tags={item.tags} isSelecting={isSelecting} tabIndex={isActive ? 0 : -1} />
        </span>
      )}
    </>
  )
}

function Cell({ column, ...props }: RowProps & { column: WideColumn }) {
  const { item } = props
  const time = column === 'created' ? item.created_at : item.updated_at
  const isTime = column === 'created' || column === 'date'
  return (
    <div role="gridcell" className={styles.cell} data-column={column} title={isTime ? formatFullDate(time) : undefined}>
      {isTime && formatDate(time)}
      {column === 'type' && kindLabel(item)}
      {column === 'location' && <Location {...props} />}
      {column === 'owner' && (
        <span className={styles.owner} title={item.owner_name}>
          {item.owner_name}
        </span>
      )}
      {column === 'size' && (item.is_directory ? '—' : formatSize(item.size))}
    </div>
  )
}

/** The path of the item's folder; a click goes there. */
function Location({ item, isActive, events }: RowProps) {
  const path = locationOf(item)
  return (
    <RowLink
      to={locationPath(item)}
      className={styles.location}
      title={path}
      tabIndex={isActive ? 0 : -1}
      onOpen={() => events.openPlace(item)}
    >
      {path}
    </RowLink>
  )
}
