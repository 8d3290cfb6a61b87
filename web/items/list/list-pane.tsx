/** A list with its foot, and the details panel at its right. */
import type { ReactNode } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { DetailsSlot } from '../details/details-slot.tsx'
import styles from './list-pane.module.css'
import { chosenItems } from './selection/use-selection.ts'
import type { ListState } from './use-list-state.ts'

interface ListPaneProps {
  state: ListState
  /** The folder on screen; null for the root and for a search. */
  folder: FileItem | null
  children: ReactNode
}

export function ListPane({ state, folder, children }: ListPaneProps) {
  const { selection, focus, actions } = state
  const items = chosenItems(selection, focus.current)
  const release = () => {
    if (document.activeElement === document.body) focus.release()
  }
  return (
    <div className={styles.pane}>
      {/* biome-ignore lint/a11y: a click that leaves the focus nowhere; a key cannot do that */}
      <div className={styles.list} onClick={release}>
        {children}
      </div>
      <DetailsSlot items={items} folder={folder} actions={actions} />
    </div>
  )
}
