/** The row above a tab's list: its description, and the button to add an entry. */
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
