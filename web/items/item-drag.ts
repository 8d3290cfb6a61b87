/** Drag and drop of items. The items stay in memory; the browser's drag data holds only a marker. */
import type { DragEvent } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { showDragPill } from '../ui/drag-pill.ts'
import type { Destination } from './destination.ts'
import { offerDownload } from './download-drag.ts'

interface Drag {
  items: readonly FileItem[]
  /** Moves the dragged items the way their list does. */
  move: (items: readonly FileItem[], to: Destination) => void
}

/** Marks a drag as ours in the browser's drag data; the items themselves stay in this module. */
const dragType = 'application/x-filestore-items'

let current: Drag | null = null

/** Starts dragging items, at least one. */
export function startItemDrag(event: DragEvent, drag: Drag): void {
  const [only] = drag.items
  current = drag
  event.dataTransfer.setData(dragType, drag.items.map(({ id }) => id).join(' '))
  event.dataTransfer.effectAllowed = 'copyMove'
  if (only && drag.items.length === 1 && !only.is_directory) offerDownload(event.dataTransfer, only)
  showDragPill(event.dataTransfer, only && drag.items.length === 1 ? only.name : `${drag.items.length} items`)
}

export function endItemDrag(): void {
  current = null
}

/** Whether a drag is ours. Check the browser's marker too: an unmounted list never reported the end of its drag. */
export const isItemDrag = ({ dataTransfer }: DragEvent): boolean =>
  current !== null && dataTransfer.types.includes(dragType)

/** A drop target. Its parents are known by id in the tree, and by path in a list. */
export interface DropTarget extends Destination {
  path?: string
  ancestors?: readonly number[]
}

const isInside = (target: DropTarget, { id, path, is_directory }: FileItem): boolean =>
  target.ancestors?.includes(id) === true || (is_directory && target.path?.startsWith(`${path}/`) === true)

/** The dragged items that a folder accepts: none it already contains; nothing if it is, or is inside, a dragged one. */
function takenBy(target: DropTarget): readonly FileItem[] {
  const items = current?.items ?? []
  if (items.some(item => item.id === target.id || isInside(target, item))) return []
  return items.filter(({ parent_id }) => parent_id !== target.id)
}

export const acceptsItems = (target: DropTarget): boolean => takenBy(target).length > 0

/** Moves the dragged items into the folder and ends the drag. */
export function dropItems(target: DropTarget): void {
  const items = takenBy(target)
  current?.move(items, { id: target.id, name: target.name })
  current = null
}
