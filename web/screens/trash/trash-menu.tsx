/** The menu of a row of the trash, or of the whole selection when the row is part of it. */
import { IconArrowBackUp, IconFolderOpen, IconTrash } from '@tabler/icons-react'
import type { FileItem } from '../../../src/api/items.ts'
import { itemCount } from '../../items/counts.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import type { MenuPlace } from '../../ui/menu-props.ts'
import styles from './trash-menu.module.css'
import type { TrashActions } from './use-trash-actions.tsx'

export interface OpenTrashMenu {
  place: MenuPlace
  items: readonly FileItem[]
}

interface TrashMenuProps {
  menu: OpenTrashMenu | null
  actions: TrashActions
  onClose: () => void
}

export function TrashMenu({ menu, actions, onClose }: TrashMenuProps) {
  const items = menu?.items ?? []
  const what = items.length === 1 ? (items[0]?.name ?? '') : itemCount(items.length)
  const restore = { label: 'Restore', icon: IconArrowBackUp, shortcut: 'R', run: () => actions.restore(items) }
  const [only] = items
  const folder = { label: 'Open original folder', icon: IconFolderOpen, shortcut: 'F' }
  const place = only && items.length === 1 ? [{ ...folder, run: () => actions.openFolder(only) }] : []
  const remove = {
    label: 'Delete permanently',
    icon: IconTrash,
    shortcut: 'Del',
    tone: 'danger' as const,
    run: () => actions.remove(items),
  }
  const all = [[...(actions.mayRestore ? [restore] : []), ...place], actions.mayRemove ? [remove] : []]
  const groups = all.filter(group => group.length > 0)
  return (
    <ActionMenu
      place={groups.length > 0 ? (menu?.place ?? null) : null}
      groups={groups}
      label={`Actions for ${what}`}
      head={<b className={styles.head}>{what}</b>}
      onClose={onClose}
    />
  )
}
