/** The folder as a grid: folders as bars, files as cards with pictures, rendered as far as they are in view. */
import { memo, useCallback, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react'
import { rowAt, rowCount, rowOf } from '../../items/list/grid/grid-geometry.ts'
import { cardHeight, columnsIn, rowHeightOf } from '../../items/list/grid/grid-measures.ts'
import styles from '../../items/list/grid/grid-view.module.css'
import { useFocusWish } from '../../items/list/use-focus-wish.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { useWidth } from '../../ui/use-width.ts'
import { FileCard, FolderBar } from './card.tsx'
import { loadMore } from './listing.ts'
import { type ItemProps, type ItemsProps, itemAttributes, itemProps } from './view.ts'

interface CardsViewProps extends ItemsProps {
  /** How many cards are in a row. */
  columns: number
  onColumns: (columns: number) => void
}

export function CardsView(props: CardsViewProps) {
  const { listing, active, wish, columns, onColumns } = props
  const { items, total, folders } = listing
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const shape = useMemo(() => ({ total, folders, columns }), [total, folders, columns])
  const rowHeight = useCallback((row: number) => rowHeightOf(row, shape, width), [shape, width])
  useLayoutEffect(() => {
    if (width > 0) onColumns(columnsIn(width))
  }, [width, onColumns])
  const { rows, height, scrollTo, reveal } = useRowWindow({
    count: rowCount(shape),
    loaded: items.length === total ? undefined : rowOf(items.length, shape),
    rowHeight,
    scroller,
    keep: active < total ? rowOf(active, shape) : undefined,
    onNearEnd: loadMore,
  })
  useFocusWish(scroller, wish, index => scrollTo(rowOf(index, shape)))
  useImperativeHandle(props.reveal, () => index => reveal(rowOf(index, shape)))
  return (
    <div ref={scroller} className={styles.scroller} role="rowgroup">
      <div className={styles.rows} style={{ height }} role="presentation">
        {width > 0 &&
          rows.map(({ index: row, start }) => {
            const { start: first, end, isFolders } = rowAt(row, shape)
            return (
              <div
                key={row}
                role="row"
                aria-rowindex={row + 1}
                className={styles.row}
                data-folders={isFolders || undefined}
                style={{
                  transform: `translateY(${start}px)`,
                  gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
                }}
              >
                {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
                  const index = first + offset
                  const item = items[index]
                  const height = isFolders ? 44 : cardHeight(width, columns)
                  if (item === undefined) return <EmptyCell key={`empty ${index}`} index={index} height={height} />
                  return <Cell key={item.id} column={offset + 1} height={height} {...itemProps(props, item, index)} />
                })}
              </div>
            )
          })}
      </div>
    </div>
  )
}

const EmptyCell = ({ index, height }: { index: number; height: number }) => (
  <div role="gridcell" className={styles.empty} style={{ height }} aria-label="Loading" data-index={index} />
)

interface CellPlace {
  /** From 1. */
  column: number
  /** Pixels. */
  height: number
}

const Cell = memo(function Cell({ column, height, ...props }: ItemProps & CellPlace) {
  const isFolder = props.item.is_directory
  return (
    <div
      role="gridcell"
      aria-colindex={column}
      className={isFolder ? styles.bar : styles.card}
      style={{ height }}
      {...itemAttributes(props)}
    >
      {isFolder ? <FolderBar {...props} /> : <FileCard {...props} />}
    </div>
  )
})
