/** The tree of all folders, windowed. */
import { type CSSProperties, type DragEvent, type MouseEvent, useEffect, useRef } from 'react'
import type { ItemActions } from '../../../items/actions/use-item-actions.tsx'
import { endItemDrag, startItemDrag } from '../../../items/item-drag.ts'
import { useFolderDrop } from '../../../items/use-folder-drop.ts'
import { useMay } from '../../../lib/server/permissions.ts'
import { useCoarse } from '../../../ui/use-coarse.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { useRowWindow } from '../../../ui/use-row-window.ts'
import { openFolderMenu, useFolderMenu } from './folder-menu-state.ts'
import styles from './folder-tree.module.css'
import { openInTree } from './open-folders.ts'
import { FolderEntry, StandInEntry } from './tree-row.tsx'
import type { FolderRow } from './tree-rows.ts'
import { useTree } from './use-tree.ts'
import { rowKey, useFocusMoves, useTreeKeys } from './use-tree-keys.ts'

export interface FolderTreeProps {
  /** Move or copy the folders that are dragged. */
  acts: Pick<ItemActions, 'move' | 'copy'>
  /** Called when the user goes to a folder. */
  onGo?: () => void
}

const nothing = () => undefined

export function FolderTree({ acts, onGo }: FolderTreeProps) {
  const { rows, currentId } = useTree()
  const isPhone = usePhone()
  const mayDrag = useMay('files:write')
  const scroller = useRef<HTMLDivElement>(null)
  const isCoarse = useCoarse()
  const rowHeight = isPhone ? 48 : isCoarse ? 40 : 28
  const menuId = useFolderMenu(({ menu }) => menu?.folder.id)
  const drop = useFolderDrop(id => openInTree([id]))
  const currentIndex = rows.findIndex(row => row.kind === 'folder' && row.id === currentId)
  const keys = useTreeKeys(rows, currentId)
  const {
    rows: drawn,
    height,
    scrollTo,
  } = useRowWindow({
    count: rows.length,
    rowHeight,
    scroller,
    keep: keys.activeIndex,
    onNearEnd: nothing,
  })
  useFocusMoves(keys, scroller, scrollTo)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another folder, or its first appearance, moves the view
  useEffect(() => {
    if (currentIndex >= 0) scrollTo(currentIndex)
  }, [currentId, currentIndex >= 0])

  const eventsOf = (row: FolderRow) => ({
    'data-over': drop.over === row.id || undefined,
    'data-menu': menuId === row.id || undefined,
    draggable: row.item !== null && mayDrag && !isPhone,
    onDragStart: (event: DragEvent) => row.item && startItemDrag(event, { ...acts, items: [row.item] }),
    onDragEnd: endItemDrag,
    onClick: onGo,
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault()
      if (!isPhone) openFolderMenu(event, row)
    },
    ...drop.target(row),
  })
  const measures = { '--row': `${rowHeight}px`, '--indent': isPhone ? '20px' : '14px' } as CSSProperties
  return (
    <div ref={scroller} className={styles.scroller} style={measures}>
      <div role="tree" aria-label="Folders" className={styles.rows} style={{ height }} onKeyDown={keys.onKeyDown}>
        {drawn.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          const common = {
            'data-index': index,
            tabIndex: index === keys.activeIndex ? 0 : -1,
            style: { transform: `translateY(${start}px)`, '--depth': row.depth } as CSSProperties,
            onFocus: () => keys.onFocus(index),
          }
          const key = row.kind === 'waiting' ? `waiting ${index}` : rowKey(row)
          if (row.kind !== 'folder') return <StandInEntry key={key} row={row} {...common} />
          return <FolderEntry key={key} row={row} isCurrent={row.id === currentId} {...common} {...eventsOf(row)} />
        })}
      </div>
    </div>
  )
}
