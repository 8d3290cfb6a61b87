/** The head of what is printed: a title, and lines about it. */
import type { ReactNode } from 'react'
import styles from './printed-head.module.css'

interface PrintedHeadProps {
  title: string
  words?: ReactNode
  /** What the reader has to know: that something is missing, or how to print it. */
  note?: string | false
}

export function PrintedHead({ title, words, note }: PrintedHeadProps) {
  return (
    <header className={styles.head}>
      <h1 className={styles.title} dir="auto">
        {title}
      </h1>
      {words && <p dir="auto">{words}</p>}
      {note && <p className={styles.note}>{note}</p>}
    </header>
  )
}
