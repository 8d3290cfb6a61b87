/** Dragging items within the page, onto a folder's row or a breadcrumb. */
import { type DragEvent, useRef, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { showDragPill } from '../../ui/drag-pill.ts'
import type { Destination } from './use-item-actions.tsx'

/** Marks a drag as one of ours for the browser; which items it carries stays in memory. */
const dragType = 'application/x-filestore-items'

export interface ItemDrag {
  /** The folder that the items hover over; undefined while there is none. */
  over: number | null | undefined
  start: (event: DragEvent, items: readonly FileItem[]) => void
  end: () => void
  /** What a folder needs to take items that are dropped on it. */
  target: (folder: Destination) => Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>
}

export function useItemDrag(onMove: (items: readonly FileItem[], to: Destination) => void): ItemDrag {
  const dragged = useRef<readonly FileItem[]>([])
  const [over, setOver] = useState<number | null | undefined>(undefined)
  /** A folder takes neither itself nor what it holds already. */
  const accepts = (folderId: number | null): boolean =>
    dragged.current.length > 0 && dragged.current.every(item => item.id !== folderId && item.parent_id !== folderId)

  return {
    over,
    start: (event, items) => {
      dragged.current = items
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData(dragType, items.map(({ id }) => id).join(' '))
      showDragPill(event.dataTransfer, items.length === 1 ? (items[0]?.name ?? '') : `${items.length} items`)
    },
    end: () => {
      dragged.current = []
      setOver(undefined)
    },
    target: folder => ({
      onDragOver: event => {
        if (!accepts(folder.id)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'move'
        setOver(folder.id)
      },
      onDragLeave: () => setOver(current => (current === folder.id ? undefined : current)),
      onDrop: event => {
        if (!accepts(folder.id)) return
        event.preventDefault()
        onMove(dragged.current, folder)
        dragged.current = []
        setOver(undefined)
      },
    }),
  }
}
