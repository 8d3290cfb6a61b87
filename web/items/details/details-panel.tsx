/** All that is known of what is selected: picture, facts, tags, metadata and activity. */
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import type { ItemActions } from '../list/use-item-actions.tsx'
import styles from './details-panel.module.css'
import { OneItem } from './one-item.tsx'
import { SeveralItems } from './several-items.tsx'

export interface DetailsPanelProps {
  /** What is selected, else the one item that was clicked or that the keyboard is on; empty where there is none. */
  items: readonly FileItem[]
  /** The folder on screen, shown while `items` is empty; null is the root, or a search. */
  folder: FileItem | null
  actions: ItemActions
  /** Called after the panel is to be gone; the focus is the caller's to give. */
  onClose: () => void
}

export function DetailsPanel({ items, folder, actions, onClose }: DetailsPanelProps) {
  const isPhone = usePhone()
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Where it fills the screen, the focus goes along, and back when it is closed.
    if (!isPhone) return
    const before = document.activeElement
    close.current?.focus()
    return () => (before instanceof HTMLElement ? before.focus() : undefined)
  }, [isPhone])
  const [first] = items
  const item = first ?? folder
  return (
    <div
      role="group"
      aria-label="What is selected"
      className={styles.panel}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={styles.head}>
        <h2 className={styles.title}>Details</h2>
        <IconButton
          ref={close}
          label="Close details"
          icon={IconX}
          size={isPhone ? 'lg' : 'sm'}
          iconSize={isPhone ? 20 : 16}
          onClick={onClose}
        />
      </div>
      {/* Another item is read from its top. */}
      <div key={items.length > 1 ? 'several' : item?.id} className={styles.body}>
        {items.length > 1 && <SeveralItems items={items} actions={actions} />}
        {items.length <= 1 && item && <OneItem item={item} isPlace={!first} actions={actions} />}
        {item === null && <p className={styles.nothing}>Select a file or folder to see its details.</p>}
      </div>
    </div>
  )
}
