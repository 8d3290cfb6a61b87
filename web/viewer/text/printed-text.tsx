/** A text on paper: wrapped lines without numbers, as far as the text is loaded. */
import { formatSize } from '../../lib/words/format-size.ts'
import { PrintedHead } from '../../ui/print/printed-head.tsx'
import { Printout } from '../../ui/print/printout.tsx'
import type { ViewedFile } from '../viewed-file.ts'
import styles from './printed-text.module.css'
import type { TextRow } from './text-rows.ts'
import type { FileText } from './use-text.ts'

/** More lines take a browser minutes. */
const mostLines = 50_000

interface PrintedTextProps {
  item: ViewedFile
  rows: readonly TextRow[]
  text: FileText
}

export const PrintedText = ({ item, rows, text: { read, total } }: PrintedTextProps) => (
  <Printout isOver>
    {() => {
      const note =
        rows.length > mostLines
          ? `Only the first ${mostLines.toLocaleString('en-US')} lines are printed.`
          : read < total && `Only the first ${formatSize(read)} of ${formatSize(total)} are printed.`
      return (
        <>
          <PrintedHead title={item.name} note={note} />
          <pre className={styles.text}>{joinRows(rows.slice(0, mostLines))}</pre>
        </>
      )
    }}
  </Printout>
)

/** The text of the rows. A row without a number goes on with the line before it. */
const joinRows = (rows: readonly TextRow[]): string =>
  rows.map(({ line, text }) => (line === null || line === 1 ? text : `\n${text}`)).join('')
