/** Dragging items of a list onto folders, wherever those are shown. */
import { type DragEvent, useMemo } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { isTouch } from '../../ui/touch.ts'
import { useStable } from '../../ui/use-stable.ts'
import { type Drag, endItemDrag, startItemDrag } from '../item-drag.ts'
import { type FolderDrop, useFolderDrop } from '../use-folder-drop.ts'

export interface ItemDrag extends FolderDrop {
  start: (event: DragEvent, items: readonly FileItem[]) => void
  end: () => void
}

export function useItemDrag(acts: Pick<Drag, 'move' | 'copy'>): ItemDrag {
  const drop = useFolderDrop()
  const { start } = useStable<Pick<ItemDrag, 'start'>>({
    // A finger that rests on an item selects it.
    start: (event, items) => (isTouch() ? event.preventDefault() : startItemDrag(event, { ...acts, items })),
  })
  return useMemo(() => ({ ...drop, start, end: endItemDrag }), [drop, start])
}
