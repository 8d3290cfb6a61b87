/** A list on paper: its title, a line about it, and all its rows. */
import type { ReactNode } from 'react'
import { PrintedHead } from './printed-head.tsx'
import { type PrintedColumn, PrintedTable } from './printed-table.tsx'
import { Printout } from './printout.tsx'
import { mostPrinted, useGathering } from './use-gathering.ts'

interface PrintedListProps<Row> {
  /** Default: the title of the browser tab. */
  title?: string
  /** A line about the list. */
  words?: ReactNode
  /** The loaded rows. */
  rows: readonly Row[]
  /** How many there are; while that is not known, one more than loaded. */
  total: number
  keyOf: (row: Row) => string | number
  columns: readonly PrintedColumn<Row>[]
  /** Loads the next page; does nothing while one is loading. */
  loadMore: () => void
  /** Whether loading the next page failed; then the loaded rows are printed. */
  isStuck?: boolean
  /** Loads what else is printed, when all rows are there. */
  finish?: () => Promise<unknown>
  /** Shows the rows in another form than a table. */
  children?: (rows: readonly Row[]) => ReactNode
}

const titleOfTab = (): string => document.title.replace(/ · filestore$/, '')

export function PrintedList<Row>(props: PrintedListProps<Row>) {
  const { title, words, total, keyOf, columns, loadMore, isStuck = false, finish, children } = props
  const gather = useGathering({ loaded: props.rows.length, total, loadMore, isStuck, finish })
  return (
    <Printout onPrintKey={gather}>
      {() => {
        const rows = props.rows.slice(0, mostPrinted)
        return (
          <>
            <PrintedHead
              title={title ?? titleOfTab()}
              words={words}
              note={rows.length < total && wordsOnRest(rows.length, total)}
            />
            {children ? children(rows) : <PrintedTable columns={columns} rows={rows} keyOf={keyOf} />}
          </>
        )
      }}
    </Printout>
  )
}

function wordsOnRest(printed: number, total: number): string {
  const [some, all] = [printed, total].map(count => count.toLocaleString('en-US'))
  // One more than is loaded may stand for any number.
  const words = `Only the first ${some}${total > printed + 1 ? ` of ${all}` : ''} are printed.`
  return printed < mostPrinted ? `${words} Press Ctrl+P in filestore itself to print the whole list.` : words
}
