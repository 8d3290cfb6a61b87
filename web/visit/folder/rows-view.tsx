/** The folder as a list: an ARIA grid whose rows are rendered as far as they are in view. */
import { memo, useImperativeHandle, useRef } from 'react'
import { EmptyRow } from '../../items/list/rows/empty-row.tsx'
import styles from '../../items/list/rows/file-list.module.css'
import { useFocusWish } from '../../items/list/use-focus-wish.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowHeight } from '../../ui/use-row-height.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { loadMore } from './listing.ts'
import { DesktopRow, PhoneRow } from './row.tsx'
import { type ItemProps, type ItemsProps, itemAttributes, itemProps } from './view.ts'

export function RowsView(props: ItemsProps) {
  const { listing, active, wish } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = usePhone()
  const rowHeight = useRowHeight()
  const { rows, height, scrollTo, reveal } = useRowWindow({
    count: listing.total,
    loaded: listing.items.length,
    rowHeight,
    scroller,
    keep: active,
    onNearEnd: loadMore,
  })
  useFocusWish(scroller, wish, scrollTo)
  useImperativeHandle(props.reveal, () => reveal)
  return (
    <div ref={scroller} className={styles.scroller} role="rowgroup">
      <div className={styles.rows} style={{ height }} role="presentation">
        {rows.map(({ index, start }) => {
          const item = listing.items[index]
          const style = { height: rowHeight, transform: `translateY(${start}px)` }
          if (item === undefined) return <EmptyRow key={`empty ${index}`} index={index} style={style} />
          return (
            <Row key={item.id} top={start} height={rowHeight} isPhone={isPhone} {...itemProps(props, item, index)} />
          )
        })}
      </div>
    </div>
  )
}

interface RowPlace {
  /** Pixels. */
  top: number
  height: number
  isPhone: boolean
}

const Row = memo(function Row({ top, height, isPhone, ...props }: ItemProps & RowPlace) {
  const Cells = isPhone ? PhoneRow : DesktopRow
  return (
    <div
      role="row"
      aria-rowindex={props.index + 2}
      className={styles.row}
      style={{ height, transform: `translateY(${top}px)` }}
      {...itemAttributes(props)}
    >
      <Cells {...props} />
    </div>
  )
})
