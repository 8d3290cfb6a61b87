/** The rows of the trash. */
import { Button, VisuallyHidden } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useRef } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { pageConfig } from '../../lib/config.ts'
import { daysLeft, formatDate, formatFullDate } from '../../lib/format-date.ts'
import { formatSize } from '../../lib/format-size.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { DaysLeft } from './days-left.tsx'
import styles from './trash-list.module.css'

interface TrashListProps {
  items: readonly FileItem[]
  onRestore: (item: FileItem) => void
  onNearEnd: () => void
}

const columns = ['Name', 'Was in', 'Size', 'Deleted', 'Days left'] as const

export function TrashList({ items, onRestore, onNearEnd }: TrashListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = usePhone()
  const rowHeight = isPhone ? 56 : 36
  const { rows, height } = useRowWindow({ count: items.length, rowHeight, scroller, onNearEnd })
  const Row = isPhone ? PhoneRow : DesktopRow
  return (
    <div className={styles.table} role="table" aria-label="Trash" aria-rowcount={items.length + 1}>
      {!isPhone && (
        <div className={styles.head} role="row" aria-rowindex={1}>
          {columns.map(column => (
            <span key={column} role="columnheader" data-column={column}>
              {column}
            </span>
          ))}
          <span role="columnheader">
            <VisuallyHidden>Actions</VisuallyHidden>
          </span>
        </div>
      )}
      <div ref={scroller} className={styles.scroller} role="rowgroup">
        <div className={styles.rows} style={{ height }} role="presentation">
          {rows.map(({ index, start }) => {
            const item = items[index]
            return (
              item && (
                <div
                  key={item.id}
                  role="row"
                  aria-rowindex={index + 2}
                  aria-label={item.name}
                  className={styles.row}
                  style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                >
                  <Row item={item} onRestore={() => onRestore(item)} />
                </div>
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  item: FileItem
  onRestore: () => void
}

/** The folder an item was deleted from. */
const wasIn = ({ path }: FileItem): string => path.slice(0, path.lastIndexOf('/')) || '/'
/** Whole days until the item goes for good; null where nobody knows when it was deleted. */
const remaining = ({ deleted_at }: FileItem): number | null =>
  deleted_at === null ? null : daysLeft(deleted_at, pageConfig.trash_retention_days)

function DesktopRow({ item, onRestore }: RowProps) {
  return (
    <>
      <div role="cell" className={styles.name}>
        <ItemIcon item={item} size={24} />
        <span className={styles.text} title={item.name}>
          <ItemName item={item} />
        </span>
        {item.is_directory && <Badge>Folder</Badge>}
      </div>
      <div role="cell" className={styles.place} title={wasIn(item)} dir="auto">
        {wasIn(item)}
      </div>
      <div role="cell" className={styles.size}>
        {item.is_directory ? '—' : formatSize(item.size)}
      </div>
      <div role="cell" title={item.deleted_at === null ? undefined : formatFullDate(item.deleted_at)}>
        {item.deleted_at === null ? 'Unknown' : formatDate(item.deleted_at)}
      </div>
      <div role="cell">
        <DaysLeft days={remaining(item)} of={pageConfig.trash_retention_days} />
      </div>
      <div role="cell" className={styles.actions}>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
          aria-label={`Restore ${item.name}`}
          onClick={onRestore}
        >
          Restore
        </Button>
      </div>
    </>
  )
}

function PhoneRow({ item, onRestore }: RowProps) {
  const days = remaining(item)
  return (
    <>
      <div role="cell" className={styles.name}>
        <ItemIcon item={item} size={36} />
        <div className={styles.words}>
          <div className={styles.phoneName}>
            <ItemName item={item} />
          </div>
          <div className={styles.meta}>
            {item.is_directory ? <Badge>Folder</Badge> : <span>{formatSize(item.size)}</span>}
            <span>{item.deleted_at === null ? 'Unknown' : formatDate(item.deleted_at)}</span>
            {days !== null && <span>{days === 1 ? '1 day left' : `${days} days left`}</span>}
          </div>
        </div>
      </div>
      <div role="cell">
        <IconButton label={`Restore ${item.name}`} icon={IconArrowBackUp} iconSize={20} size="lg" onClick={onRestore} />
      </div>
    </>
  )
}
