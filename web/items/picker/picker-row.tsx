/** A folder in the picker. */
import { IconChevronRight } from '@tabler/icons-react'
import { memo } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { ItemIcon } from '../item-icon.tsx'
import { ItemName } from '../item-name.tsx'
import styles from './picker-list.module.css'

interface PickerRowProps {
  folder: FileItem
  index: number
  /** How many folders there are. */
  count: number
  /** Pixels from the top of the list. */
  start: number
  isPhone: boolean
  /** Whether Tab reaches it. */
  isActive: boolean
  onFocus: (id: number) => void
  onEnter: (folder: FileItem) => void
}

export const pickerRowHeight = (isPhone: boolean): number => (isPhone ? 48 : 36)

export const PickerRow = memo(function PickerRow(props: PickerRowProps) {
  const { folder, index, isPhone, isActive } = props
  return (
    <div
      role="listitem"
      className={styles.place}
      style={{ height: pickerRowHeight(isPhone), transform: `translateY(${props.start}px)` }}
      aria-posinset={index + 1}
      aria-setsize={props.count}
    >
      <button
        type="button"
        className={styles.row}
        title={folder.name}
        data-index={index}
        data-autofocus={isActive || undefined}
        tabIndex={isActive ? 0 : -1}
        onFocus={() => props.onFocus(folder.id)}
        onClick={() => props.onEnter(folder)}
      >
        <ItemIcon item={folder} size={isPhone ? 28 : 24} />
        <span className={styles.name}>
          <ItemName item={folder} />
        </span>
        <IconChevronRight size={16} stroke={1.75} className={styles.chevron} aria-hidden />
      </button>
    </div>
  )
})
