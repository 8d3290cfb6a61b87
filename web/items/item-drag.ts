/** Items on their way by drag and drop: what is dragged stays in memory, the browser carries only a mark. */
import type { DragEvent } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { downloadUrl } from '../lib/local/download.ts'
import { showDragPill } from '../ui/drag-pill.ts'
import type { Destination } from './destination.ts'

interface Drag {
  items: readonly FileItem[]
  /** Moves what was dragged, as the list it came from moves things. */
  move: (items: readonly FileItem[], to: Destination) => void
}

/** Marks a drag as one of ours for the browser; which items it carries stays here. */
const dragType = 'application/x-filestore-items'

let current: Drag | null = null

/** Begins to drag items, at least one. */
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

/** Lets the file be dropped on the desktop, in Chromium; it parts type, name and address at their colons. */
function offerDownload(transfer: DataTransfer, { id, name, mime_type }: FileItem): void {
  const type = mime_type ?? 'application/octet-stream'
  transfer.setData('DownloadURL', `${type}:${name.replaceAll(':', '_')}:${downloadUrl(id)}`)
}

/** Whether a drag is one of ours. The browser's mark counts too: a list that vanished never said that its drag ended. */
export const isItemDrag = ({ dataTransfer }: DragEvent): boolean =>
  current !== null && dataTransfer.types.includes(dragType)

/** A folder that is dropped on. What it stands in is known by ids in the tree, by its path in a list. */
export interface DropTarget extends Destination {
  path?: string
  ancestors?: readonly number[]
}

const isInside = (target: DropTarget, { id, path, is_directory }: FileItem): boolean =>
  target.ancestors?.includes(id) === true || (is_directory && target.path?.startsWith(`${path}/`) === true)

/** Those of the dragged items that a folder would take: none that it holds, and nothing when it is, or is inside, one. */
function takenBy(target: DropTarget): readonly FileItem[] {
  const items = current?.items ?? []
  if (items.some(item => item.id === target.id || isInside(target, item))) return []
  return items.filter(({ parent_id }) => parent_id !== target.id)
}

export const acceptsItems = (target: DropTarget): boolean => takenBy(target).length > 0

/** Moves what is dragged into the folder, and ends the drag. */
export function dropItems(target: DropTarget): void {
  const items = takenBy(target)
  current?.move(items, { id: target.id, name: target.name })
  current = null
}
