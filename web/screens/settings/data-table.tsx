/** A windowed table; on a phone each row is a box of its own. */
import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import { PrintedList } from '../../ui/print/printed-list.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowHeight } from '../../ui/use-row-height.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import styles from './data-table.module.css'

export interface Column<Row> {
  head: string
  /** A CSS grid track: `92px`, `minmax(0, 1fr)`. */
  width: string
  /** Whether it is hidden in windows below 1100 pixels. */
  isWide?: boolean
  /** Whether its heading is for screen readers only. */
  isBare?: boolean
  cell: (row: Row) => ReactNode
  /** The cell on paper, where it differs. */
  printed?: (row: Row) => ReactNode
}

interface DataTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  labelOf: (row: Row) => string
  /** Whether a row is greyed out. */
  isFaint?: (row: Row) => boolean
  phoneRow: (row: Row) => ReactNode
  /** Pixels. */
  phoneRowHeight: number
  /** The same in a low window; default: the same height. */
  lowRowHeight?: number
  onNearEnd?: () => void
  /** Whether more rows than these exist. */
  hasMore?: boolean
}

const nothing = () => undefined
const tracks = (columns: readonly { width: string }[]) => columns.map(({ width }) => width).join(' ')

export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rows,
    keyOf,
    labelOf,
    isFaint,
    phoneRow,
    phoneRowHeight,
    lowRowHeight = phoneRowHeight,
    onNearEnd = nothing,
    hasMore = false,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = usePhone()
  const rowHeight = useRowHeight(phoneRowHeight, lowRowHeight)
  const { rows: shown, height } = useRowWindow({ count: rows.length, rowHeight, scroller, onNearEnd })
  const widths = {
    '--columns': tracks(columns),
    '--narrow-columns': tracks(columns.filter(({ isWide }) => !isWide)),
  } as React.CSSProperties
  return (
    <div className={styles.table} style={widths} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <PrintedList
        title={label}
        rows={rows}
        total={rows.length + (hasMore ? 1 : 0)}
        keyOf={keyOf}
        columns={columns
          .filter(({ isBare }) => !isBare)
          .map(({ head, cell, printed = cell }) => ({ head, cell: printed }))}
        loadMore={onNearEnd}
      />
      <div ref={scroller} className={styles.scroller} role="presentation">
        <div className={styles.head} role="row" aria-rowindex={1}>
          {columns.map(({ head, isWide, isBare }) => (
            <span key={head} role="columnheader" data-wide={isWide}>
              {isBare ? <VisuallyHidden>{head}</VisuallyHidden> : head}
            </span>
          ))}
        </div>
        <div className={styles.rows} style={{ height }} role="rowgroup">
          {shown.map(({ index, start }) => {
            const row = rows[index]
            return (
              row && (
                <div
                  key={keyOf(row)}
                  role="row"
                  aria-rowindex={index + 2}
                  aria-label={labelOf(row)}
                  className={styles.row}
                  data-faint={isFaint?.(row) || undefined}
                  style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                >
                  {isPhone ? (
                    <div role="cell" className={styles.box}>
                      {phoneRow(row)}
                    </div>
                  ) : (
                    columns.map(({ head, isWide, cell }) => (
                      <div key={head} role="cell" className={styles.cell} data-wide={isWide}>
                        {cell(row)}
                      </div>
                    ))
                  )}
                </div>
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}
