/** The grid of a folder's items and all that its rows can be told to do. */
import { type MouseEvent, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import type { MenuPlace } from '../../ui/action-menu.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { useStable } from '../../ui/use-stable.ts'
import { FileList } from './file-list.tsx'
import styles from './folder-content.module.css'
import type { FolderContentProps } from './folder-content.tsx'
import { ItemMenu, type OpenMenu } from './item-menu.tsx'
import { ListHead } from './list-head.tsx'
import type { RowEvents } from './row.ts'
import { SelectionBar } from './selection-bar.tsx'

interface ListedItemsProps extends FolderContentProps {
  renamingId: number | null
  setRenamingId: (id: number | null) => void
  onOpen: (item: FileItem) => void
}

export function ListedItems(props: ListedItemsProps) {
  const { folder, items, selection, actions, focus, drag, renamingId, setRenamingId, onOpen } = props
  const isPhone = usePhone()
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const together = (item: FileItem): [FileItem, ...FileItem[]] =>
    selection.ids.has(item.id) ? [item, ...selection.items.filter(({ id }) => id !== item.id)] : [item]

  const click = (item: FileItem, event: MouseEvent) => {
    if (renamingId === item.id) return
    if (event.shiftKey) selection.extendTo(item.id)
    else if (event.ctrlKey || event.metaKey || selection.ids.size > 0) selection.toggle(item.id)
    else if (item.is_directory) onOpen(item)
    else if (isPhone) events.openMenu(item, event.currentTarget.getBoundingClientRect())
  }
  const closeMenu = () => {
    if (menu !== null) focus.focusItem(menu.items[0].id)
    setMenu(null)
  }
  const endRename = (item: FileItem, name: string | null) => {
    setRenamingId(null)
    focus.focusItem(item.id)
    if (name !== null) actions.rename(item, name)
  }
  const events = useStable<RowEvents>({
    toggle: (item, event) => (event.shiftKey ? selection.extendTo(item.id) : selection.toggle(item.id)),
    openMenu: (item: FileItem, place: MenuPlace) => setMenu({ place, items: together(item) }),
    download: item => actions.download([item]),
    endRename,
  })
  const isSelecting = selection.ids.size > 0
  return (
    <>
      {!isPhone && isSelecting && <SelectionBar selection={selection} selectable={items.length} actions={actions} />}
      <div
        className={styles.grid}
        role="grid"
        aria-label="Files"
        aria-multiselectable
        aria-rowcount={(folder?.total ?? items.length) + 1}
      >
        {!isPhone && !isSelecting && <ListHead onSelectAll={selection.selectAll} isEmpty={false} />}
        <FileList
          items={items}
          selectedIds={selection.ids}
          activeIndex={focus.activeIndex}
          focus={focus.wish}
          renamingId={renamingId}
          menuIds={menu?.items.map(({ id }) => id) ?? []}
          drag={drag}
          events={events}
          onClick={click}
          onOpen={onOpen}
          onActivate={focus.activate}
          draggedWith={together}
          onNearEnd={props.loadMore}
        />
      </div>
      <ItemMenu menu={menu} actions={actions} onRename={item => setRenamingId(item.id)} onClose={closeMenu} />
    </>
  )
}
