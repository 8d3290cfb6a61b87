/** The items of a folder as list or grid, with the head, the selection and the keyboard. */
import { type ReactNode, useRef, useState } from 'react'
import type { VisitorItem } from '../../../src/api/visits.ts'
import { folderAndFileCount, itemCount } from '../../items/counts.ts'
import { rowCount } from '../../items/list/grid/grid-geometry.ts'
import list from '../../items/list/item-list.module.css'
import type { FocusWish } from '../../items/list/use-row-focus.ts'
import { useLongPress } from '../../ui/use-long-press.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useStable } from '../../ui/use-stable.ts'
import { goTo } from '../place.ts'
import { CardsView } from './cards-view.tsx'
import styles from './folder-items.module.css'
import { GridHead, ListHead, PhoneSort } from './list-head.tsx'
import type { Listing } from './listing.ts'
import { RowsView } from './rows-view.tsx'
import { PhoneSelectionBottom, PhoneSelectionTop, SelectionBar } from './selection-bars.tsx'
import { useKeys } from './use-keys.ts'
import { useSelection } from './use-selection.ts'
import type { ItemsProps, ViewSettings } from './view.ts'

interface FolderItemsProps {
  listing: Listing
  settings: ViewSettings
  /** The bar below the list on a phone while nothing is selected. */
  buttons: ReactNode
}

export function FolderItems({ listing, settings, buttons }: FolderItemsProps) {
  const { items, total, folders, query, trail } = listing
  const isPhone = usePhone()
  const selection = useSelection(items)
  const [active, setActive] = useState(0)
  const [wish, setWish] = useState<FocusWish | null>(null)
  const [columns, setColumns] = useState(1)
  const reveal = useRef<(index: number) => void>(null)
  const isGrid = settings.view === 'grid'
  const isSelecting = selection.ids.size > 0 || selection.isGathering
  const shape = isGrid ? { total, folders, columns } : { total, folders: 0, columns: 1 }
  const open = (item: VisitorItem) =>
    goTo(item.is_directory ? { folder: item.id, file: null } : { folder: query.folder, file: item.id })
  const on = useStable({
    activate: setActive,
    open,
    toggle: selection.toggle,
    click: (item, index, { ctrlKey, metaKey, shiftKey }) => {
      if (isSelecting || ctrlKey || metaKey || shiftKey) selection.toggle(index, shiftKey)
      else open(item)
    },
  })
  const focusAt = (index: number) => {
    setActive(index)
    setWish({ index })
  }
  const up = trail.at(-2)?.id ?? null
  const goUp = trail.length > 0 ? () => goTo({ folder: up, file: null }) : undefined
  useKeys({ items, shape, active, selection, reveal, focusAt, open, goUp })
  const longPress = useLongPress(target => {
    const index = Number(target.closest('[data-index]')?.getAttribute('data-index') ?? -1)
    if (items[index] !== undefined && !selection.ids.has(items[index].id)) selection.toggle(index, false)
  })
  const view: ItemsProps = { listing, selectedIds: selection.ids, active, wish, reveal, on }
  const head = { ...settings, onSelectAll: selection.selectAll }
  return (
    <>
      {isPhone && (isSelecting ? <PhoneSelectionTop selection={selection} /> : <PhoneSort {...settings} />)}
      <div className={`${list.items} ${styles.items}`} {...longPress}>
        {!isPhone && isSelecting && <SelectionBar selection={selection} total={total} />}
        {!isPhone && !isSelecting && isGrid && <GridHead {...head} />}
        <div
          className={list.grid}
          role="grid"
          aria-label="Files"
          aria-multiselectable
          aria-rowcount={isGrid ? rowCount(shape) : total + 1}
          aria-colcount={isGrid ? columns : undefined}
        >
          {!isPhone && !isSelecting && !isGrid && <ListHead {...head} />}
          {isGrid ? <CardsView {...view} columns={columns} onColumns={setColumns} /> : <RowsView {...view} />}
        </div>
      </div>
      {!isPhone && (
        <footer className={styles.footer}>
          <span className={styles.total}>{itemCount(total)}</span>
          <span>{folderAndFileCount(folders, total - folders)}</span>
        </footer>
      )}
      {isPhone && (isSelecting ? <PhoneSelectionBottom selection={selection} /> : buttons)}
    </>
  )
}
