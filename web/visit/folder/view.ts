/** How the folder is shown, and what its rows and cards are given. */
import type { MouseEvent, RefObject } from 'react'
import type { VisitorItem } from '../../../src/api/visits.ts'
import type { FocusWish } from '../../items/list/use-row-focus.ts'
import { firstPageSize } from '../../lib/server/first-calls.ts'
import type { Listing } from './listing.ts'
import type { Sorting } from './sorting.ts'

export type View = 'list' | 'grid'

/** Files from which on pictures are shown as a grid, and the share of pictures among the files of the first page. */
const album = { files: 4, share: 0.75 }

/** How a folder is shown until the visitor chooses or sorts: pictures as a grid. Its first page decides. */
export function firstView({ items }: Listing): View {
  const files = items.slice(0, firstPageSize).filter(({ is_directory }) => !is_directory)
  const pictures = files.filter(({ thumbnail_path }) => thumbnail_path !== null)
  return files.length >= album.files && pictures.length >= album.share * files.length ? 'grid' : 'list'
}

export interface ViewSettings {
  view: View
  onView: (view: View) => void
  sorting: Sorting
  onSort: (sorting: Sorting) => void
}

/** Stable for the lifetime of the list. */
export interface ItemEvents {
  activate: (index: number) => void
  /** A click on the item, but not on what it holds. */
  click: (item: VisitorItem, index: number, event: MouseEvent) => void
  open: (item: VisitorItem) => void
  toggle: (index: number, isRange: boolean) => void
}

export interface ItemsProps {
  listing: Listing
  selectedIds: ReadonlySet<number>
  /** The item that Tab reaches. */
  active: number
  /** The item to focus as soon as it is rendered. */
  wish: FocusWish | null
  /** The view puts a function here that scrolls an item into view at once. */
  reveal: RefObject<((index: number) => void) | null>
  on: ItemEvents
}

export interface ItemProps {
  item: VisitorItem
  index: number
  isSelected: boolean
  isSelecting: boolean
  isActive: boolean
  on: ItemEvents
}

export const itemProps = ({ selectedIds, active, on }: ItemsProps, item: VisitorItem, index: number): ItemProps => ({
  item,
  index,
  isSelected: selectedIds.has(item.id),
  isSelecting: selectedIds.size > 0,
  isActive: index === active,
  on,
})

export const itemAttributes = ({ item, index, isSelected, isActive, on }: ItemProps) => ({
  tabIndex: isActive ? 0 : -1,
  'aria-selected': isSelected,
  'aria-label': item.name,
  'data-index': index,
  onFocus: () => on.activate(index),
  onClick: (event: MouseEvent) => on.click(item, index, event),
})
