/** Items as rows: an ARIA grid of which only what is in view is rendered. */
import { type RefObject, useEffect, useRef } from 'react'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { DesktopRow } from './desktop-row.tsx'
import { EmptyRow } from './empty-row.tsx'
import styles from './file-list.module.css'
import { type ItemsViewProps, itemAttributes } from './items-view.ts'
import { PhoneRow } from './phone-row.tsx'
import { useFocusWish } from './use-focus-wish.ts'

export function FileList(props: ItemsViewProps) {
  const { listing, selectedIds, activeIndex, renaming, middle } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = usePhone()
  const Row = isPhone ? PhoneRow : DesktopRow
  const rowHeight = isPhone ? 56 : 36
  const { rows, height, scrollTo } = useRowWindow({
    count: listing.total,
    loaded: listing.items.length,
    rowHeight,
    scroller,
    keep: activeIndex < 0 ? undefined : activeIndex,
    onNearEnd: listing.loadMore,
  })
  useFocusWish(scroller, props.wish, scrollTo)
  useScrollbarWidth(scroller)

  return (
    <div ref={scroller} className={styles.scroller} role="rowgroup">
      <div className={styles.rows} style={{ height }} role="presentation">
        {rows.map(({ index, start }) => {
          const item = listing.items[index]
          const place = { height: rowHeight, transform: `translateY(${start}px)` }
          if (item === undefined) return <EmptyRow key={`empty ${index}`} index={index} style={place} />
          return (
            <div
              key={item.id}
              role="row"
              aria-rowindex={index + 2}
              className={styles.row}
              data-middle={middle}
              style={place}
              {...itemAttributes(props, item, index)}
            >
              <Row
                item={item}
                isSelected={selectedIds.has(item.id)}
                isSelecting={selectedIds.size > 0}
                isActive={index === Math.max(0, activeIndex)}
                renaming={renaming?.id === item.id ? renaming : null}
                middle={middle}
                events={props.events}
              />
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Tells the head above how much of the width the scrollbar takes, so that its columns stay those of the rows. */
function useScrollbarWidth(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = scroller.current
    if (box === null) return
    const tell = () => box.parentElement?.style.setProperty('--scrollbar', `${box.offsetWidth - box.clientWidth}px`)
    const observer = new ResizeObserver(tell)
    observer.observe(box)
    return () => observer.disconnect()
  }, [scroller])
}
