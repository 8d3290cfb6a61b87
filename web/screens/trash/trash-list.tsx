/** The rows of the trash: a windowed ARIA grid. */
import { VisuallyHidden } from '@mantine/core'
import { type MouseEvent, useRef, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { useInHand } from '../../items/acts/in-hand.ts'
import { SelectionStrip } from '../../items/list/selection/selection-strip.tsx'
import { useFocusWish } from '../../items/list/use-focus-wish.ts'
import { Check } from '../../ui/check.tsx'
import { isTouch } from '../../ui/touch.ts'
import { useLongPress } from '../../ui/use-long-press.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowHeight } from '../../ui/use-row-height.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import type { TrashListProps } from './list-props.ts'
import styles from './trash-list.module.css'
import { type OpenTrashMenu, TrashMenu } from './trash-menu.tsx'
import { DesktopRow, PhoneRow } from './trash-rows.tsx'
import { useTrashKeys } from './use-trash-keys.ts'

export function TrashList(props: TrashListProps) {
  const { listing, selection, focus, actions } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<OpenTrashMenu | null>(null)
  const inHand = useInHand(({ ids }) => ids)
  const isPhone = usePhone()
  const rowHeight = useRowHeight()
  const { rows, height, scrollTo } = useRowWindow({
    count: listing.items.length,
    rowHeight,
    scroller,
    keep: focus.activeIndex < 0 ? undefined : focus.activeIndex,
    onNearEnd: listing.loadMore,
  })
  useFocusWish(scroller, focus.wish, scrollTo)
  useTrashKeys(props)
  const longPress = useLongPress(selection.press)
  const isSelecting = selection.ids.size > 0 || selection.awaited !== null
  const Row = isPhone ? PhoneRow : DesktopRow
  const openMenu = (item: FileItem, place: OpenTrashMenu['place']) => {
    focus.activate(listing.items.indexOf(item))
    setMenu({ place, items: selection.ids.has(item.id) ? selection.items : [item] })
  }

  return (
    <>
      {!isPhone && isSelecting && <SelectionStrip {...props} acts={actions.acts} />}
      <div
        className={styles.table}
        role="grid"
        aria-label="Trash"
        aria-multiselectable
        aria-rowcount={listing.total + 1}
        aria-busy={actions.isEmptying}
        {...longPress}
      >
        {!isPhone && !isSelecting && <TrashHead onSelectAll={selection.selectAll} />}
        <div ref={scroller} className={styles.scroller} role="rowgroup">
          <div className={styles.rows} style={{ height }} role="presentation">
            {rows.map(({ index, start }) => {
              const item = listing.items[index]
              return (
                item && (
                  <div
                    key={item.id}
                    role="row"
                    className={styles.row}
                    aria-disabled={inHand.has(item.id) || undefined}
                    data-menu={menu?.items.includes(item) || undefined}
                    style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                    {...rowAttributes(props, item, index)}
                    onContextMenu={event => {
                      event.preventDefault()
                      openMenu(item, { x: event.clientX, y: event.clientY, width: 0, height: 0 })
                    }}
                  >
                    <Row
                      item={item}
                      isSelected={selection.ids.has(item.id)}
                      isSelecting={isSelecting}
                      isActive={index === Math.max(0, focus.activeIndex)}
                      onToggle={({ shiftKey }) =>
                        shiftKey ? selection.extendTo(index, focus.activeIndex) : selection.toggle(item.id)
                      }
                      onMenu={place => openMenu(item, place)}
                      actions={actions}
                    />
                  </div>
                )
              )
            })}
          </div>
        </div>
      </div>
      <TrashMenu
        menu={menu}
        actions={actions}
        onClose={() => {
          const [first] = menu?.items ?? []
          if (first) focus.focusItem(first.id)
          setMenu(null)
        }}
      />
    </>
  )
}

/** A row's ARIA attributes and event handlers. */
function rowAttributes({ selection, focus }: TrashListProps, item: FileItem, index: number) {
  return {
    'aria-rowindex': index + 2,
    'aria-label': item.name,
    'aria-selected': selection.ids.has(item.id),
    'data-index': index,
    tabIndex: index === Math.max(0, focus.activeIndex) ? 0 : -1,
    onFocus: () => focus.activate(index),
    onClick: (event: MouseEvent) => {
      if (event.shiftKey) selection.extendTo(index, focus.activeIndex)
      // A tap selects, because nothing in the trash can be opened.
      else if (event.ctrlKey || event.metaKey || selection.ids.size > 0 || isTouch()) selection.toggle(item.id)
    },
  }
}

export const trashColumns = ['Name', 'Was in', 'Size', 'Deleted', 'Days left'] as const

function TrashHead({ onSelectAll }: { onSelectAll: () => void }) {
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      <div role="columnheader" className={styles.check}>
        <Check label="Select all" checked={false} onChange={onSelectAll} />
      </div>
      {trashColumns.map(column => (
        <span key={column} role="columnheader" data-column={column}>
          {column}
        </span>
      ))}
      <span role="columnheader">
        <VisuallyHidden>Actions</VisuallyHidden>
      </span>
    </div>
  )
}
