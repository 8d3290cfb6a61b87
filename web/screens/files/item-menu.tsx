/** The menu of a row, or of all that is selected when the row is part of it. */
import { IconCursorText, IconDownload, IconTrash } from '@tabler/icons-react'
import type { FileItem } from '../../../src/api/items.ts'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { formatDate } from '../../lib/format-date.ts'
import { formatSize } from '../../lib/format-size.ts'
import { ActionMenu, type MenuAction, type MenuPlace } from '../../ui/action-menu.tsx'
import styles from './item-menu.module.css'
import type { ItemActions } from './use-item-actions.tsx'

/** An open menu: where it is and what it acts on, at least one item. */
export interface OpenMenu {
  place: MenuPlace
  items: readonly [FileItem, ...FileItem[]]
}

interface ItemMenuProps {
  menu: OpenMenu | null
  actions: ItemActions
  onRename: (item: FileItem) => void
  onClose: () => void
}

function groupsOf({ items }: OpenMenu, actions: ItemActions, onRename: (item: FileItem) => void): MenuAction[][] {
  const download = { label: 'Download', icon: IconDownload, run: () => actions.download(items) }
  const rename = { label: 'Rename', icon: IconCursorText, shortcut: 'F2', run: () => onRename(items[0]) }
  const trash = {
    label: 'Delete',
    icon: IconTrash,
    shortcut: 'Del',
    tone: 'danger' as const,
    run: () => actions.trash(items),
  }
  const hasFile = items.some(item => !item.is_directory)
  const upper = [...(hasFile ? [download] : []), ...(items.length === 1 ? [rename] : [])]
  return upper.length > 0 ? [upper, [trash]] : [[trash]]
}

export function ItemMenu({ menu, actions, onRename, onClose }: ItemMenuProps) {
  if (menu === null) return null
  const [first] = menu.items
  const label = menu.items.length === 1 ? `Actions for ${first.name}` : `Actions for ${menu.items.length} items`
  return (
    <ActionMenu
      place={menu.place}
      groups={groupsOf(menu, actions, onRename)}
      label={label}
      head={<MenuHead item={first} count={menu.items.length} />}
      onClose={onClose}
    />
  )
}

function MenuHead({ item, count }: { item: FileItem; count: number }) {
  if (count > 1) return <b className={styles.name}>{count} items</b>
  return (
    <div className={styles.head}>
      <ItemIcon item={item} size={36} />
      <div className={styles.words}>
        <div className={styles.name}>
          <ItemName item={item} />
        </div>
        <div className={styles.meta}>
          {!item.is_directory && `${formatSize(item.size)} · `}
          {formatDate(item.updated_at)}
        </div>
      </div>
    </div>
  )
}
