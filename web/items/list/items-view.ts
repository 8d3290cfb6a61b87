/** What list and grid have in common: what they are told, and how each of their items answers to the pointer. */
import type { DragEvent, MouseEvent } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import type { Listing } from './listing.ts'
import type { MiddleColumn, Renaming, RowEvents } from './row.ts'
import type { ItemDrag } from './use-item-drag.ts'

export interface ItemsViewProps {
  listing: Listing
  selectedIds: ReadonlySet<number>
  /** The item that Tab reaches. */
  activeIndex: number
  /** Whether that item is the one the details panel tells of. */
  isDetailed: boolean
  /** An item that is to take the focus as soon as it is there. */
  wish: { index: number } | null
  renaming: Renaming | null
  menuIds: readonly number[]
  middle: MiddleColumn
  drag: ItemDrag
  events: RowEvents
  onClick: (item: FileItem, index: number, event: MouseEvent) => void
  onDoubleClick: (item: FileItem) => void
  onActivate: (index: number) => void
  /** The items that go along when this one is dragged. */
  draggedWith: (item: FileItem) => readonly FileItem[]
}

/** An item's ARIA states, data for its looks, and what it listens to. */
export function itemAttributes(props: ItemsViewProps, item: FileItem, index: number) {
  const { drag, selectedIds, activeIndex, renaming } = props
  const isRenaming = renaming?.id === item.id
  return {
    tabIndex: index === Math.max(0, activeIndex) ? 0 : -1,
    'aria-selected': selectedIds.has(item.id),
    'aria-label': item.name,
    'data-index': index,
    'data-current': (props.isDetailed && index === activeIndex) || undefined,
    'data-menu': props.menuIds.includes(item.id) || undefined,
    'data-over': drag.over === item.id || undefined,
    draggable: !isRenaming,
    onFocus: () => props.onActivate(index),
    onClick: (event: MouseEvent) => props.onClick(item, index, event),
    onDoubleClick: () => props.onDoubleClick(item),
    onContextMenu: (event: MouseEvent) => {
      if (isRenaming) return
      event.preventDefault()
      props.events.openMenu(item, { x: event.clientX, y: event.clientY, width: 0, height: 0 })
    },
    onDragStart: (event: DragEvent) => drag.start(event, props.draggedWith(item)),
    onDragEnd: drag.end,
    ...(item.is_directory ? drag.target(item) : {}),
  }
}
