/** The menu button of a card or folder bar. */
import { IconDotsVertical } from '@tabler/icons-react'
import type { FileItem } from '../../../../src/api/items.ts'
import type { RowEvents } from '../rows/row.ts'
import styles from './more-button.module.css'

interface MoreButtonProps {
  item: FileItem
  tabIndex: number
  events: Pick<RowEvents, 'openMenu'>
}

export function MoreButton({ item, tabIndex, events }: MoreButtonProps) {
  return (
    <button
      type="button"
      className={styles.more}
      tabIndex={tabIndex}
      title="More actions"
      aria-label={`More actions for ${item.name}`}
      aria-haspopup="menu"
      onClick={event => {
        event.stopPropagation()
        events.openMenu(item, event.currentTarget.getBoundingClientRect())
      }}
      onDoubleClick={event => event.stopPropagation()}
    >
      <IconDotsVertical size={16} stroke={1.75} aria-hidden />
    </button>
  )
}
