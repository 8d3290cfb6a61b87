/** Drag and drop of items. The items stay in memory; the browser's drag data holds only a marker. */

import type { DragEvent } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { isSamePlace } from '../../src/api/places.ts'
import { showDragPill } from '../ui/drag-pill.ts'
import { type Destination, labelOf } from './destination.ts'
import { offerDownload } from './download-drag.ts'
import { rightsNow } from './rights.ts'

type Drop = (items: readonly FileItem[], to: Destination) => void

export interface Drag {
  items: readonly FileItem[]
  /** Moves or copies the dragged items the way their list does. */
  move: Drop
  copy: Drop
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

const isInside = (target: DropTarget, { id, path, place, is_directory }: FileItem): boolean =>
  target.ancestors?.includes(id) === true ||
  (is_directory && isSamePlace(target.place, place) && target.path?.startsWith(`${path}/`) === true)

interface Taken {
  kind: 'move' | 'copy'
  items: readonly FileItem[]
}

/**
 * The dragged items that a folder accepts. Within a place they are moved, unless they are there already, or the folder is
 * one of them or inside one. Into another place all are copied: a slip of the hand must take nothing from its place.
 */
function takenBy(target: DropTarget): Taken {
  const items = current?.items ?? []
  const nothing: Taken = { kind: 'move', items: [] }
  if (items.some(item => item.id === target.id || isInside(target, item))) return nothing
  const may = rightsNow(items)
  if (items.some(({ place }) => !isSamePlace(place, target.place))) {
    return may.copy && (target.may?.add ?? true) ? { kind: 'copy', items } : nothing
  }
  if (!may.organise || target.may?.change === false) return nothing
  return { kind: 'move', items: items.filter(({ parent_id }) => parent_id !== target.id) }
}

/** What a drop on the folder would do with the dragged items; null if it does not accept them. */
export function dropKind(target: DropTarget): Taken['kind'] | null {
  const { kind, items } = takenBy(target)
  return items.length === 0 ? null : kind
}

const isThere = (target: DropTarget, { parent_id, place }: FileItem): boolean =>
  parent_id === target.id && isSamePlace(place, target.place)

/** Why nothing would happen: the user may not do that. Else the items are there already, or would go into themselves. */
const isForbidden = (target: DropTarget): boolean =>
  current !== null &&
  !current.items.some(item => item.id === target.id || isInside(target, item)) &&
  !current.items.every(item => isThere(target, item))

/** What a drop on the folder would do, in words; null where it would change nothing. */
export function dropWord(target: DropTarget): { word: string; isRefusal: boolean } | null {
  const kind = dropKind(target)
  if (kind === null) return isForbidden(target) ? notAllowed : null
  return { word: `${kind === 'move' ? 'Move' : 'Copy'} to ${labelOf(target)}`, isRefusal: false }
}

export const notAllowed = { word: 'Not allowed here', isRefusal: true }

/** Moves or copies the dragged items into the folder and ends the drag. */
export function dropItems(target: DropTarget): void {
  const { kind, items } = takenBy(target)
  const { id, name, place, may } = target
  current?.[kind](items, { id, name, place, may })
  current = null
}
