/** The row above a tab's list: what the list is, and what can be added to it. */
import type { ReactNode } from 'react'
import styles from './tab-head.module.css'

export function TabHead({ words, children }: { words: string; children: ReactNode }) {
  return (
    <div className={styles.head}>
      <p className={styles.words}>{words}</p>
      {children}
    </div>
  )
}
