/** Items as cards, with folders as bars above them; a windowed grid. */
import { Fragment, memo, useCallback, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react'
import { useRowWindow } from '../../../ui/use-row-window.ts'
import { useWidth } from '../../../ui/use-width.ts'
import { GroupHead } from '../group-head.tsx'
import { headHeight, startsOf } from '../groups.ts'
import { type ItemProps, type ItemsViewProps, itemAttributes, itemProps } from '../items-view.ts'
import { useFocusWish } from '../use-focus-wish.ts'
import { FileCard } from './file-card.tsx'
import { FolderBar } from './folder-bar.tsx'
import { rowAt, rowCount, rowOf } from './grid-geometry.ts'
import { cardHeight, columnsIn, rowHeightOf } from './grid-measures.ts'
import styles from './grid-view.module.css'

interface GridViewProps extends ItemsViewProps {
  /** How many cards are in a row. */
  cards: number
  onCards: (cards: number) => void
}

export function GridView(props: GridViewProps) {
  const { listing, activeIndex, heads, cards: columns, onCards } = props
  const { items, total, folders } = listing
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const shape = useMemo(() => ({ total, folders, columns, starts: startsOf(heads) }), [total, folders, columns, heads])
  const rowHeight = useCallback(
    (row: number) => rowHeightOf(row, shape, width) + (heads.has(rowAt(row, shape).start) ? headHeight : 0),
    [shape, heads, width],
  )
  useLayoutEffect(() => {
    if (width > 0) onCards(columnsIn(width))
  }, [width, onCards])
  const { rows, height, scrollTo, reveal } = useRowWindow({
    count: rowCount(shape),
    loaded: items.length === total ? undefined : rowOf(items.length, shape),
    rowHeight,
    overscan: 4,
    scroller,
    keep: activeIndex < 0 || activeIndex >= total ? undefined : rowOf(activeIndex, shape),
    onNearEnd: listing.loadMore,
  })
  useFocusWish(scroller, props.wish, index => scrollTo(rowOf(index, shape)))
  useImperativeHandle(props.reveal, () => index => reveal(rowOf(index, shape)))

  return (
    <div ref={scroller} className={styles.scroller} role="rowgroup">
      <div className={styles.rows} style={{ height }} role="presentation">
        {width > 0 &&
          rows.map(({ index: row, start }) => {
            const { start: first, end, isFolders } = rowAt(row, shape)
            const head = heads.get(first)
            const top = head === undefined ? start : start + headHeight
            return (
              <Fragment key={row}>
                {head !== undefined && <GroupHead start={start}>{head}</GroupHead>}
                <div
                  role="row"
                  aria-rowindex={row + 1}
                  className={styles.row}
                  data-folders={isFolders || undefined}
                  style={{
                    transform: `translateY(${top}px)`,
                    gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
                  }}
                >
                  {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
                    const [index, column] = [first + offset, offset + 1]
                    const item = items[index]
                    const place = { column, isBar: isFolders, height: isFolders ? 44 : cardHeight(width, columns) }
                    if (item === undefined) return <EmptyCell key={`empty ${index}`} index={index} {...place} />
                    return <Cell key={item.id} {...place} {...itemProps(props, item, index)} />
                  })}
                </div>
              </Fragment>
            )
          })}
      </div>
    </div>
  )
}

interface Place {
  /** From 1. */
  column: number
  /** Pixels. */
  height: number
  isBar: boolean
}

const EmptyCell = ({ index, column, height }: Place & { index: number }) => (
  <div
    role="gridcell"
    aria-colindex={column}
    className={styles.empty}
    style={{ height }}
    aria-label="Loading"
    tabIndex={-1}
    data-index={index}
  />
)

const Cell = memo(function Cell({ column, height, isBar, ...props }: ItemProps & Place) {
  const { item, isSelected, isSelecting, isActive, renaming, columns, hasTags, events } = props
  const Content = isBar ? FolderBar : FileCard
  return (
    <div
      role="gridcell"
      aria-colindex={column}
      className={isBar ? styles.bar : styles.card}
      style={{ height }}
      {...itemAttributes(props)}
    >
      <Content {...{ item, isSelected, isSelecting, isActive, renaming, columns, hasTags, events }} />
    </div>
  )
})
