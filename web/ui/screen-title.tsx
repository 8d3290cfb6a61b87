/** The title row of a section. */
import type { ReactNode } from 'react'
import styles from './screen-title.module.css'

/** `count` stands in a pill behind the title; `action` at the row's end. */
export function ScreenTitle({ children, count, action }: { children: string; count?: number; action?: ReactNode }) {
  return (
    <div className={styles.row}>
      <h1 className={styles.title}>{children}</h1>
      {count !== undefined && <span className={styles.count}>{count.toLocaleString('en-US')}</span>}
      {action && <span className={styles.action}>{action}</span>}
    </div>
  )
}
