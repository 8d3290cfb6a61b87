/** What stands between the bars: the list with its head, grey rows while it comes, or the word that it is empty. */
import { Button } from '@mantine/core'
import { IconFolderPlus, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { FolderDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './folder-content.module.css'
import type { Folder } from './folder-view.tsx'
import { ListHead } from './list-head.tsx'
import { ListedItems } from './listed-items.tsx'
import { SelectionBar } from './selection-bar.tsx'
import type { ItemActions } from './use-item-actions.tsx'
import type { ItemDrag } from './use-item-drag.ts'
import { useListKeys } from './use-list-keys.ts'
import type { RowFocus } from './use-row-focus.ts'
import type { Selection } from './use-selection.ts'

export interface FolderContentProps {
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
  const { folder, isWaiting, items, selection, actions, focus, onGo } = props
  const isPhone = usePhone()
  const isSelecting = selection.ids.size > 0
  const [renamingId, setRenamingId] = useState<number | null>(null)
  const open = (item: FileItem, focusNext: 'first' | null) =>
    item.is_directory ? onGo(item.id, focusNext) : actions.download([item])
  useListKeys({
    items,
    activeIndex: focus.activeIndex,
    selection,
    focusAt: focus.focusAt,
    open: item => open(item, 'first'),
    goUp: () => folder !== null && folder.id !== null && onGo(folder.parentId, folder.id),
    rename: item => setRenamingId(item.id),
    trash: actions.trash,
  })
  if (!isWaiting && items.length > 0) {
    return <ListedItems {...props} {...{ renamingId, setRenamingId }} onOpen={item => open(item, null)} />
  }
  return (
    <>
      {!isPhone && !isSelecting && (
        <div role="table" aria-label="Files">
          <ListHead onSelectAll={selection.selectAll} isEmpty />
        </div>
      )}
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
