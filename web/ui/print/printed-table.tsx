/** Rows on paper: a plain table, whose heads are repeated on each sheet. */
import type { ReactNode } from 'react'
import styles from './printed-table.module.css'

export interface PrintedColumn<Row> {
  head: string
  /** Whether its cells are short: they are neither wrapped nor wider than they need. */
  isShort?: boolean
  /** Whether its cells are aligned like numbers. */
  isNumber?: boolean
  /** Of the width of the table, such as `25%`; default: what the cells need. */
  width?: string
  cell: (row: Row) => ReactNode
}

interface PrintedTableProps<Row> {
  columns: readonly PrintedColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
}

export function PrintedTable<Row>({ columns, rows, keyOf }: PrintedTableProps<Row>) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {columns.map(({ head, isNumber, width }) => (
            <th key={head} scope="col" data-number={isNumber} style={{ width }}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, isShort, isNumber, cell }) => (
              <td key={head} data-short={isShort} data-number={isNumber} dir="auto">
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
