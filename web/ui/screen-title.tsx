/** The title row of a section. */
import type { ReactNode } from 'react'
import styles from './screen-title.module.css'

interface ScreenTitleProps {
  children: string
  /** Shown in a pill after the title. */
  count?: number | string
  /** At the end of the row. */
  action?: ReactNode
}

export function ScreenTitle({ children, count, action }: ScreenTitleProps) {
  return (
    <div className={styles.row}>
      <h1 className={styles.title}>{children}</h1>
      {count !== undefined && <span className={styles.count}>{count.toLocaleString('en-US')}</span>}
      {action && <span className={styles.action}>{action}</span>}
    </div>
  )
}
