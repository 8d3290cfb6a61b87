/** The cells of one item on wide windows. */
import { IconDots, IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { kindLabel } from '../../items/kinds.ts'
import { formatDate, formatFullDate } from '../../lib/format-date.ts'
import { formatSize } from '../../lib/format-size.ts'
import { Check } from '../../ui/check.tsx'
import styles from './desktop-row.module.css'
import { RenameField } from './rename-field.tsx'
import type { RowProps } from './row.ts'

export const DesktopRow = memo(function DesktopRow(props: RowProps) {
  const { item, isSelected, isActive, events } = props
  const tabIndex = isActive ? 0 : -1
  return (
    <>
      <div role="gridcell" className={styles.check}>
        <Check
          label={`Select ${item.name}`}
          checked={isSelected}
          tabIndex={tabIndex}
          onChange={event => events.toggle(item, event)}
        />
      </div>
      <div role="gridcell" className={styles.name}>
        <ItemIcon item={item} size={24} />
        <NameCell {...props} />
      </div>
      <div role="gridcell" className={styles.type}>
        {kindLabel(item)}
      </div>
      <div role="gridcell" className={styles.size}>
        {item.is_directory ? '—' : formatSize(item.size)}
      </div>
      <div role="gridcell" className={styles.date} title={formatFullDate(item.updated_at)}>
        {formatDate(item.updated_at)}
      </div>
      <div role="gridcell" className={styles.actions}>
        {!item.is_directory && (
          <button
            type="button"
            className={styles.action}
            tabIndex={tabIndex}
            title="Download"
            aria-label={`Download ${item.name}`}
            onClick={event => {
              event.stopPropagation()
              events.download(item)
            }}
          >
            <IconDownload size={16} stroke={1.75} aria-hidden />
          </button>
        )}
        <button
          type="button"
          className={styles.action}
          tabIndex={tabIndex}
          title="More actions"
          aria-label={`More actions for ${item.name}`}
          aria-haspopup="menu"
          onClick={event => {
            event.stopPropagation()
            events.openMenu(item, event.currentTarget.getBoundingClientRect())
          }}
        >
          <IconDots size={16} stroke={1.75} aria-hidden />
        </button>
      </div>
    </>
  )
})

function NameCell({ item, isRenaming, events }: RowProps) {
  if (isRenaming) return <RenameField item={item} onEnd={name => events.endRename(item, name)} />
  if (!item.is_directory) {
    return (
      <span className={styles.text} title={item.name}>
        <ItemName item={item} />
      </span>
    )
  }
  return (
    // A real link, so that a folder can be opened in a new tab; the row itself takes the plain click.
    <Link
      to="/files/{-$folderId}"
      params={{ folderId: String(item.id) }}
      className={styles.text}
      title={item.name}
      tabIndex={-1}
      draggable={false}
      onClick={event => event.preventDefault()}
    >
      <ItemName item={item} />
    </Link>
  )
}
