/** The button of a row or card that downloads its item. */
import { IconDownload } from '@tabler/icons-react'
import styles from '../../items/list/rows/row-actions.module.css'
import { saveItem } from '../downloads.ts'
import own from './save-button.module.css'
import type { ItemProps } from './view.ts'

export function SaveButton({ item, isActive }: Pick<ItemProps, 'item' | 'isActive'>) {
  return (
    <button
      type="button"
      className={`${styles.action} ${own.save}`}
      aria-label={`Download ${item.name}`}
      title="Download"
      tabIndex={isActive ? 0 : -1}
      onClick={event => {
        event.stopPropagation()
        saveItem(item)
      }}
    >
      <IconDownload size={16} stroke={1.75} aria-hidden />
    </button>
  )
}
