/** All that is known of what is selected: picture, facts, tags, metadata and activity. */
import type { FileItem } from '../../../src/api/items.ts'
import type { ItemActions } from '../actions/use-item-actions.tsx'
import styles from './details-panel.module.css'
import { OneItem } from './one-item.tsx'
import { SeveralItems } from './several-items.tsx'

export interface DetailsPanelProps {
  /** What is selected, else the one item that was clicked or that the keyboard is on; empty where there is none. */
  items: readonly FileItem[]
  /** The folder on screen, shown while `items` is empty; null is the root, or a search. */
  folder: FileItem | null
  actions: ItemActions
}

export function DetailsPanel({ items, folder, actions }: DetailsPanelProps) {
  const [first] = items
  const item = first ?? folder
  // Another item is read from its top.
  return (
    <div key={items.length > 1 ? 'several' : item?.id} className={styles.body}>
      {items.length > 1 && <SeveralItems items={items} actions={actions} />}
      {items.length <= 1 && item && <OneItem item={item} isPlace={!first} actions={actions} />}
      {item === null && <p className={styles.nothing}>Select a file or folder to see its details.</p>}
    </div>
  )
}
