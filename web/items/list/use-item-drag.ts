/** Dragging items of a list onto folders, wherever those are shown. */
import { type DragEvent, useMemo } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { useStable } from '../../ui/use-stable.ts'
import type { Destination } from '../destination.ts'
import { endItemDrag, startItemDrag } from '../item-drag.ts'
import { type FolderDrop, useFolderDrop } from '../use-folder-drop.ts'

export interface ItemDrag extends FolderDrop {
  start: (event: DragEvent, items: readonly FileItem[]) => void
  end: () => void
}

export function useItemDrag(onMove: (items: readonly FileItem[], to: Destination) => void): ItemDrag {
  const drop = useFolderDrop()
  const { start } = useStable<Pick<ItemDrag, 'start'>>({
    start: (event, items) => startItemDrag(event, { items, move: onMove }),
  })
  return useMemo(() => ({ ...drop, start, end: endItemDrag }), [drop, start])
}
