/** The lines of a text, windowed. Short texts are rendered whole, so that the browser's search finds everything. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef } from 'react'
import { useStageFocus } from '../use-stage-focus.ts'
import styles from './text-lines.module.css'
import type { TextRow } from './text-rows.ts'

interface TextLinesProps {
  label: string
  rows: readonly TextRow[]
  isWrapped: boolean
  /** Shown below the last line. */
  end: ReactNode
}

const rowHeight = 20
/** Texts up to this many rows and characters are rendered completely. */
const fewRows = 1500
const fewCharacters = 200_000

/** The characters of all rows, and of the longest one. */
function measure(rows: readonly TextRow[]): { characters: number; longest: number } {
  let [characters, longest] = [0, 0]
  for (const { text } of rows) {
    characters += text.length
    longest = Math.max(longest, text.length)
  }
  return { characters, longest }
}

export function TextLines({ label, rows, isWrapped, end }: TextLinesProps) {
  const scroller = useRef<HTMLDivElement>(null)
  useStageFocus(scroller)
  const { characters, longest } = useMemo(() => measure(rows), [rows])
  const isShort = rows.length <= fewRows && characters <= fewCharacters
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: isShort ? fewRows : 40,
  })
  const digits = String(rows.length).length
  return (
    <section
      ref={scroller}
      className={styles.scroller}
      data-wrapped={isWrapped || undefined}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
    >
      <div
        className={styles.rows}
        style={{
          height: virtualizer.getTotalSize(),
          minWidth: isWrapped ? undefined : `calc(${longest + digits}ch + 64px)`,
        }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            ref={isWrapped ? virtualizer.measureElement : undefined}
            data-index={index}
            className={styles.row}
            style={{ transform: `translateY(${start}px)` }}
          >
            <span className={styles.number} style={{ width: `${digits + 1}ch` }} data-line={rows[index]?.line} />
            <span className={styles.text}>{rows[index]?.text}</span>
          </div>
        ))}
      </div>
      {end}
    </section>
  )
}
