/** The details of the selection: picture, facts, tags, metadata and activity. */
import type { FileItem } from '../../../src/api/items.ts'
import type { ItemActions } from '../actions/use-item-actions.tsx'
import styles from './details-panel.module.css'
import { OneItem } from './one-item.tsx'
import { SeveralItems } from './several-items.tsx'

export interface DetailsPanelProps {
  /** The selection, else the one item that was clicked or has the keyboard focus; empty when there is none. */
  items: readonly FileItem[]
  /** The folder on screen, shown while `items` is empty; null for the root and for a search. */
  folder: FileItem | null
  actions: ItemActions
}

export function DetailsPanel({ items, folder, actions }: DetailsPanelProps) {
  const [first] = items
  const item = first ?? folder
  // The key makes another item start at its top.
  return (
    <div key={items.length > 1 ? 'several' : item?.id} className={styles.body}>
      {items.length > 1 && <SeveralItems items={items} actions={actions} />}
      {items.length <= 1 && item && <OneItem item={item} isPlace={!first} actions={actions} />}
      {item === null && <p className={styles.nothing}>Select a file or folder to see its details.</p>}
    </div>
  )
}
