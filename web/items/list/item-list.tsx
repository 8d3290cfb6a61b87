/** Items as list or grid, with the head above them and all actions on them. */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import type { WideColumn } from '../../../src/api/preferences.ts'
import { usePreferences } from '../../lib/local/preferences.ts'
import { SkeletonGrid } from '../../ui/skeleton-grid.tsx'
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'
import { isTouch } from '../../ui/touch.ts'
import { useLongPress } from '../../ui/use-long-press.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useStable } from '../../ui/use-stable.ts'
import { useInHand } from '../acts/in-hand.ts'
import { useDetails } from '../details/use-details.ts'
import { useShowInFolder } from '../show-in-folder.ts'
import { type MiddleColumn, trackStyle } from './columns/columns.ts'
import { useColumns } from './columns/use-columns.ts'
import { rowCount } from './grid/grid-geometry.ts'
import { startsOf, useHeads } from './groups.ts'
import { GridHead } from './head/grid-head.tsx'
import { ListHead } from './head/list-head.tsx'
import styles from './item-list.module.css'
import type { ItemHandlers, ItemsViewProps } from './items-view.ts'
import { fetchLazyParts, GridView, ItemMenu, PrintedItems, SelectionBar } from './lazy-parts.tsx'
import { FileList } from './rows/file-list.tsx'
import { useItemEvents } from './use-item-events.ts'
import { useListKeys } from './use-list-keys.ts'
import type { ListState } from './use-list-state.ts'

/** How an item was opened; after the keyboard, the next folder gets the keyboard focus. */
type OpenedBy = 'pointer' | 'keyboard'

/** Where the placeholder of a column stands. */
const endOf = (column: WideColumn) => (column === 'size' ? 'end' : 'start')

/** Placeholders in the view that the items will have. */
const Skeleton = ({ isGrid, columns }: { isGrid: boolean; columns: readonly WideColumn[] }) =>
  isGrid ? <SkeletonGrid /> : <SkeletonRows columns={columns.map(endOf)} />

interface ItemListProps {
  state: ListState
  middle: MiddleColumn
  /** Whether items of several people may be in the list. */
  hasOwners?: boolean
  isSortable: boolean
  /** Whether to show placeholders for what is still loading. */
  isWaiting: boolean
  /** Whether the list still shows the previous content. */
  isStale: boolean
  /** Shown when there are no items. */
  empty: ReactNode
  onOpenFolder: (folder: FileItem, by: OpenedBy) => void
  onUp?: () => void
  onShare?: () => void
  onUpload?: () => void
  onNewFolder?: () => void
  /** The heading of an item's group; items of one group follow each other. It must stay the same function. */
  groupOf?: (item: FileItem) => string
}

export function ItemList(props: ItemListProps) {
  const { state, middle, hasOwners = false, isSortable, isWaiting } = props
  const columnShape = useMemo(() => ({ middle, hasOwners }), [middle, hasOwners])
  const { listing, selection, focus, actions, drag } = state
  const isPhone = usePhone()
  const isGrid = usePreferences(({ view }) => view === 'grid')
  const details = useDetails()
  const box = useRef<HTMLDivElement>(null)
  const columns = useColumns(box, columnShape)
  const [cards, setCards] = useState(1)
  const reveal = useRef<(index: number) => void>(null)
  const open = (item: FileItem, by: OpenedBy) =>
    item.is_directory ? props.onOpenFolder(item, by) : actions.preview(item)
  const showInFolder = useShowInFolder()
  const on = useItemEvents(state, item => open(item, 'pointer'), showInFolder)
  const { target } = drag
  const stable = useStable<Omit<ItemHandlers, 'target'> & { selectAll: () => void }>({
    activate: focus.activate,
    click: on.click,
    doubleClick: on.doubleClick,
    startDrag: (event, item) => drag.start(event, on.together(item)),
    endDrag: drag.end,
    selectAll: selection.selectAll,
  })
  const handlers = useMemo(() => ({ ...stable, target }), [stable, target])
  const menuIds = useMemo(() => new Set(on.menu?.items.map(({ id }) => id)), [on.menu])
  const heads = useHeads(listing.items, props.groupOf)
  const shape = isGrid
    ? { ...listing, columns: cards, starts: startsOf(heads) }
    : { total: listing.total, folders: 0, columns: 1 }
  useListKeys({
    ...state,
    shape,
    reveal,
    open: item => open(item, 'keyboard'),
    isStale: props.isStale,
    goUp: props.onUp,
    showInFolder: middle === 'location' ? showInFolder : undefined,
    rename: on.startRename,
    openMenu: on.events.openMenu,
    showDetails: () => details.setOpen(true),
    toggleDetails: details.toggle,
    share: props.onShare,
    upload: props.onUpload,
    makeFolder: props.onNewFolder,
  })

  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    if (listing.total > 0) void fetchLazyParts().then(() => setQuiet(true))
  }, [listing.total])

  const longPress = useLongPress(selection.press)
  const isEmpty = isWaiting || listing.total === 0
  const isSelecting = selection.ids.size > 0 || selection.awaited !== null
  const head = { isSortable, onSelectAll: isEmpty ? null : stable.selectAll }
  const listHead = !isPhone && !isSelecting && !isGrid && <ListHead columns={columns} shape={columnShape} {...head} />
  const view: ItemsViewProps = {
    listing,
    selectedIds: selection.ids,
    activeIndex: focus.activeIndex,
    isDetailed: details.isOpen && !isSelecting && focus.current !== undefined,
    wish: focus.wish,
    reveal,
    renaming: on.renaming,
    menuIds,
    inHandIds: useInHand(({ ids }) => ids),
    overId: drag.over,
    columns,
    events: on.events,
    on: handlers,
    heads,
  }
  return (
    <div ref={box} className={styles.items} data-list style={trackStyle(columns.widths)}>
      {!isPhone && isSelecting && <SelectionBar {...state} />}
      {!isPhone && !isSelecting && isGrid && <GridHead {...head} />}
      {isEmpty ? (
        <>
          {listHead && (
            <div role="table" aria-label="Files">
              {listHead}
            </div>
          )}
          {isWaiting ? <Skeleton isGrid={isGrid} columns={columns.wide} /> : props.empty}
        </>
      ) : (
        <div
          className={styles.grid}
          role="grid"
          aria-label="Files"
          aria-multiselectable
          {...longPress}
          aria-rowcount={isGrid ? rowCount(shape) : listing.total + 1}
          aria-colcount={isGrid ? cards : undefined}
        >
          {listHead}
          {isGrid ? <GridView {...view} cards={cards} onCards={setCards} /> : <FileList {...view} />}
        </div>
      )}
      {isQuiet && <PrintedItems listing={listing} isGrid={isGrid} isMixed={middle === 'location'} />}
      {on.menu && (
        <ItemMenu
          menu={on.menu}
          actions={actions}
          onRename={on.startRename}
          onDetails={() => details.setOpen(true)}
          onSelect={(isPhone || isTouch()) && !isSelecting ? ({ id }) => selection.toggle(id) : undefined}
          onClose={on.closeMenu}
        />
      )}
    </div>
  )
}
