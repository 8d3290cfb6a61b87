/** Items as rows: a windowed ARIA grid. */
import { Fragment, memo, type RefObject, useEffect, useImperativeHandle, useMemo, useRef } from 'react'
import { usePhone } from '../../../ui/use-phone.ts'
import { useRowHeight } from '../../../ui/use-row-height.ts'
import { useRowWindow } from '../../../ui/use-row-window.ts'
import { GroupHead } from '../group-head.tsx'
import { headHeight } from '../groups.ts'
import { type ItemProps, type ItemsViewProps, itemAttributes, itemProps } from '../items-view.ts'
import { useFocusWish } from '../use-focus-wish.ts'
import { DesktopRow } from './desktop-row.tsx'
import { EmptyRow } from './empty-row.tsx'
import styles from './file-list.module.css'
import { PhoneRow } from './phone-row.tsx'

export function FileList(props: ItemsViewProps) {
  const { listing, activeIndex, heads } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = usePhone()
  const rowHeight = useRowHeight()
  const heightOf = useMemo(
    () => (heads.size === 0 ? rowHeight : (index: number) => rowHeight + (heads.has(index) ? headHeight : 0)),
    [heads, rowHeight],
  )
  const { rows, height, scrollTo, reveal } = useRowWindow({
    count: listing.total,
    loaded: listing.items.length,
    rowHeight: heightOf,
    scroller,
    keep: activeIndex < 0 ? undefined : activeIndex,
    onNearEnd: listing.loadMore,
  })
  useFocusWish(scroller, props.wish, scrollTo)
  useImperativeHandle(props.reveal, () => reveal)
  useScrollbarWidth(scroller)

  return (
    <div ref={scroller} className={styles.scroller} role="rowgroup">
      <div className={styles.rows} style={{ height }} role="presentation">
        {rows.map(({ index, start }) => {
          const item = listing.items[index]
          const head = heads.get(index)
          const place = { height: rowHeight, start: head === undefined ? start : start + headHeight }
          if (item === undefined) return <EmptyRow key={`empty ${index}`} index={index} style={styleOf(place)} />
          return (
            <Fragment key={item.id}>
              {head !== undefined && <GroupHead start={start}>{head}</GroupHead>}
              <Row {...place} isPhone={isPhone} {...itemProps(props, item, index)} />
            </Fragment>
          )
        })}
      </div>
    </div>
  )
}

interface Place {
  /** Pixels. */
  height: number
  /** Pixels from the top of the list. */
  start: number
}

const styleOf = ({ height, start }: Place) => ({ height, transform: `translateY(${start}px)` })

/** Memoised: moving the focus by a key changes two rows, and the others are skipped. */
const Row = memo(function Row({ height, start, isPhone, ...props }: ItemProps & Place & { isPhone: boolean }) {
  const { item, index, isSelected, isSelecting, isActive, renaming, columns, hasTags, events } = props
  const cells = { item, isSelected, isSelecting, isActive, renaming, columns, hasTags, events }
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={styles.row}
      style={styleOf({ height, start })}
      {...itemAttributes(props)}
    >
      {isPhone ? <PhoneRow {...cells} /> : <DesktopRow {...cells} />}
    </div>
  )
})

/** Tells the head the scrollbar's width, so that its columns stay aligned with the rows. */
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
