/** What stands between the bars: the list with its head, grey rows while it comes, or the word that it is empty. */
import { Button } from '@mantine/core'
import { IconFolderPlus, IconUpload } from '@tabler/icons-react'
import { type MouseEvent, useState } from 'react'
import type { FileItem } from '../../../src/api/files.ts'
import type { MenuPlace } from '../../ui/action-menu.tsx'
import { FolderDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { useStable } from '../../ui/use-stable.ts'
import { FileList } from './file-list.tsx'
import styles from './folder-content.module.css'
import type { Folder } from './folder-view.tsx'
import { ItemMenu, type OpenMenu } from './item-menu.tsx'
import { ListHead } from './list-head.tsx'
import type { RowEvents } from './row.ts'
import { SelectionBar } from './selection-bar.tsx'
import type { ItemActions } from './use-item-actions.tsx'
import type { ItemDrag } from './use-item-drag.ts'
import { useListKeys } from './use-list-keys.ts'
import type { RowFocus } from './use-row-focus.ts'
import type { Selection } from './use-selection.ts'

interface FolderContentProps {
  folder: Folder | null
  isWaiting: boolean
  items: readonly FileItem[]
  selection: Selection
  actions: ItemActions
  focus: RowFocus
  drag: ItemDrag
  loadMore: () => void
  onGo: (folderId: number | null, focus: number | 'first' | null) => void
  onUpload: () => void
  onNewFolder: () => void
}

export function FolderContent(props: FolderContentProps) {
  const { folder, isWaiting, items, selection, actions } = props
  const isPhone = usePhone()
  const isSelecting = selection.ids.size > 0
  if (!isWaiting && items.length > 0) return <ListedItems {...props} />
  return (
    <>
      {!isPhone && !isSelecting && <ListHead onSelectAll={selection.selectAll} isEmpty />}
      {!isPhone && isSelecting && <SelectionBar selection={selection} selectable={items.length} actions={actions} />}
      {isWaiting && <SkeletonRows />}
      {!isWaiting && folder !== null && <EmptyFolder {...props} />}
      {!isWaiting && folder === null && <div className={styles.blank} />}
    </>
  )
}

function EmptyFolder({ onUpload, onNewFolder }: FolderContentProps) {
  return (
    <EmptyState
      drawing={<FolderDrawing />}
      title="This folder is empty"
      sentence="Upload files or create folders to get started"
    >
      <Button variant="default" leftSection={<IconUpload size={16} stroke={1.75} aria-hidden />} onClick={onUpload}>
        Upload
      </Button>
      <Button
        variant="default"
        leftSection={<IconFolderPlus size={16} stroke={1.75} aria-hidden />}
        onClick={onNewFolder}
      >
        New Folder
      </Button>
    </EmptyState>
  )
}

/** The grid and all that its rows can be told to do. */
function ListedItems(props: FolderContentProps) {
  const { folder, items, selection, actions, focus, drag, onGo } = props
  const isPhone = usePhone()
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [renamingId, setRenamingId] = useState<number | null>(null)
  const together = (item: FileItem): [FileItem, ...FileItem[]] =>
    selection.ids.has(item.id) ? [item, ...selection.items.filter(({ id }) => id !== item.id)] : [item]

  const open = (item: FileItem, focusNext: 'first' | null) =>
    item.is_directory ? onGo(item.id, focusNext) : actions.download([item])
  const click = (item: FileItem, event: MouseEvent) => {
    if (renamingId === item.id) return
    if (event.shiftKey) selection.extendTo(item.id)
    else if (event.ctrlKey || event.metaKey || selection.ids.size > 0) selection.toggle(item.id)
    else if (item.is_directory) open(item, null)
    else if (isPhone) events.openMenu(item, event.currentTarget.getBoundingClientRect())
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
  useListKeys({
    items,
    activeIndex: focus.activeIndex,
    selection,
    focusAt: focus.focusAt,
    open: item => open(item, 'first'),
    goUp: () => folder?.id != null && onGo(folder.parentId, folder.id),
    rename: item => setRenamingId(item.id),
    trash: actions.trash,
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
          onOpen={item => open(item, null)}
          onActivate={focus.activate}
          draggedWith={together}
          onNearEnd={props.loadMore}
        />
      </div>
      <ItemMenu menu={menu} actions={actions} onRename={item => setRenamingId(item.id)} onClose={() => setMenu(null)} />
    </>
  )
}
