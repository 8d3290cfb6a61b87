/** The rows of a folder: an ARIA grid of which only what is in view is rendered. */
import { type DragEvent, type MouseEvent, type RefObject, useEffect, useRef } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { DesktopRow } from './desktop-row.tsx'
import styles from './file-list.module.css'
import { PhoneRow } from './phone-row.tsx'
import type { RowEvents } from './row.ts'
import type { ItemDrag } from './use-item-drag.ts'

interface FileListProps {
  items: readonly FileItem[]
  selectedIds: ReadonlySet<number>
  /** The row that Tab reaches. */
  activeIndex: number
  /** A row that is to take the focus as soon as it is there. */
  focus: { index: number } | null
  renamingId: number | null
  menuIds: readonly number[]
  drag: ItemDrag
  events: RowEvents
  onClick: (item: FileItem, event: MouseEvent) => void
  onOpen: (item: FileItem) => void
  onActivate: (index: number) => void
  /** The items that go along when this one is dragged. */
  draggedWith: (item: FileItem) => readonly FileItem[]
  onNearEnd: () => void
}

export function FileList(props: FileListProps) {
  const { items, selectedIds, activeIndex, focus } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = usePhone()
  const Row = isPhone ? PhoneRow : DesktopRow
  const rowHeight = isPhone ? 56 : 36
  const keep = activeIndex < 0 ? undefined : activeIndex
  const { rows, height, scrollTo } = useRowWindow({
    count: items.length,
    rowHeight,
    scroller,
    keep,
    onNearEnd: props.onNearEnd,
  })
  useFocusWish(scroller, focus, scrollTo)

  return (
    <div ref={scroller} className={styles.scroller} role="rowgroup">
      <div className={styles.rows} style={{ height }} role="presentation">
        {rows.map(({ index, start }) => {
          const item = items[index]
          if (item === undefined) return null
          return (
            <div
              key={item.id}
              className={styles.row}
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              {...rowAttributes(props, item, index)}
            >
              <Row
                item={item}
                isSelected={selectedIds.has(item.id)}
                isSelecting={selectedIds.size > 0}
                isActive={index === Math.max(0, activeIndex)}
                isRenaming={props.renamingId === item.id}
                events={props.events}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Gives the focus to the row that is wished for, once it is rendered: a list just begun renders its rows late. */
function useFocusWish(
  scroller: RefObject<HTMLElement | null>,
  wish: { index: number } | null,
  scrollTo: (index: number) => void,
): void {
  const granted = useRef<object>(null)
  const scrolled = useRef<object>(null)
  useEffect(() => {
    if (wish === null || granted.current === wish) return
    if (scrolled.current !== wish) scrollTo(wish.index)
    scrolled.current = wish
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wish.index}"]`)
    if (row === null || row === undefined) return
    granted.current = wish
    // A name that is being changed keeps the focus.
    if (!row.contains(document.activeElement)) row.focus({ preventScroll: true })
  })
}

/** A row's ARIA states, data for its looks, and what it listens to. */
function rowAttributes(props: FileListProps, item: FileItem, index: number) {
  const { drag, selectedIds, activeIndex, renamingId } = props
  return {
    role: 'row',
    tabIndex: index === Math.max(0, activeIndex) ? 0 : -1,
    'aria-rowindex': index + 2,
    'aria-selected': selectedIds.has(item.id),
    'aria-label': item.name,
    'data-index': index,
    'data-menu': props.menuIds.includes(item.id) || undefined,
    'data-over': drag.over === item.id || undefined,
    draggable: renamingId !== item.id,
    onFocus: () => props.onActivate(index),
    onClick: (event: MouseEvent) => props.onClick(item, event),
    onDoubleClick: () => !item.is_directory && props.onOpen(item),
    onContextMenu: (event: MouseEvent) => {
      if (renamingId === item.id) return
      event.preventDefault()
      props.events.openMenu(item, { x: event.clientX, y: event.clientY, width: 0, height: 0 })
    },
    onDragStart: (event: DragEvent) => drag.start(event, props.draggedWith(item)),
    onDragEnd: drag.end,
    ...(item.is_directory ? drag.target(item) : {}),
  }
}
