/** What list and grid share: their props, and how their items react to the pointer. */
import type { DragEvent, MouseEvent, RefObject } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import type { Columns } from './columns/columns.ts'
import type { Heads } from './groups.ts'
import type { Listing } from './listing.ts'
import type { Renaming, RowEvents, RowProps } from './rows/row.ts'
import type { ItemDrag } from './use-item-drag.ts'
import type { FocusWish } from './use-row-focus.ts'

/** The pointer handlers of items; stable for the lifetime of the list. */
export interface ItemHandlers {
  activate: (index: number) => void
  click: (item: FileItem, index: number, event: MouseEvent) => void
  doubleClick: (item: FileItem) => void
  /** Drags the item together with the rest of the selection. */
  startDrag: (event: DragEvent, item: FileItem) => void
  endDrag: () => void
  target: ItemDrag['target']
}

export interface ItemsViewProps {
  listing: Listing
  selectedIds: ReadonlySet<number>
  /** The item that Tab reaches. */
  activeIndex: number
  /** Whether the details panel shows that item. */
  isDetailed: boolean
  /** The item to focus as soon as it is rendered. */
  wish: FocusWish | null
  /** The view puts a function here that scrolls an item into view at once. */
  reveal: RefObject<((index: number) => void) | null>
  renaming: Renaming | null
  menuIds: ReadonlySet<number>
  /** The items that a long act is at work on. */
  inHandIds: ReadonlySet<number>
  /** The folder that would accept the dragged items. */
  overId: number | null | undefined
  columns: Columns
  events: RowEvents
  on: ItemHandlers
  heads: Heads
}

/** The props of one item: stable while it looks the same, so that it is not rendered again. */
export interface ItemProps extends RowProps {
  index: number
  /** Whether the details panel shows it. */
  isCurrent: boolean
  hasMenu: boolean
  isInHand: boolean
  isOver: boolean
  on: ItemHandlers
}

/** The props of the item at an index, from all that its list knows. */
export function itemProps(view: ItemsViewProps, item: FileItem, index: number): ItemProps {
  const { selectedIds, activeIndex, renaming, columns, events, on } = view
  return {
    item,
    index,
    isSelected: selectedIds.has(item.id),
    isSelecting: selectedIds.size > 0,
    isActive: index === Math.max(0, activeIndex),
    isCurrent: view.isDetailed && index === activeIndex,
    hasMenu: view.menuIds.has(item.id),
    isInHand: view.inHandIds.has(item.id),
    isOver: view.overId === item.id,
    renaming: renaming?.id === item.id ? renaming : null,
    columns: columns.wide,
    hasTags: columns.hasTags,
    events,
    on,
  }
}

/** An item's ARIA attributes, data attributes for styles, and event handlers. */
export function itemAttributes({ item, index, on, events, ...props }: ItemProps) {
  const isRenaming = props.renaming !== null
  return {
    tabIndex: props.isActive ? 0 : -1,
    'aria-selected': props.isSelected,
    'aria-disabled': props.isInHand || undefined,
    'aria-label': item.name,
    'data-index': index,
    'data-current': props.isCurrent || undefined,
    'data-menu': props.hasMenu || undefined,
    'data-over': props.isOver || undefined,
    draggable: !isRenaming,
    onFocus: () => on.activate(index),
    onClick: (event: MouseEvent) => on.click(item, index, event),
    onDoubleClick: () => on.doubleClick(item),
    onContextMenu: (event: MouseEvent) => {
      if (isRenaming) return
      event.preventDefault()
      events.openMenu(item, { x: event.clientX, y: event.clientY, width: 0, height: 0 })
    },
    onDragStart: (event: DragEvent) => on.startDrag(event, item),
    onDragEnd: on.endDrag,
    ...(item.is_directory ? on.target(item) : {}),
  }
}
