/** The message in the middle of a page that has nothing to list. */
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  drawing: ReactNode
  title: string
  sentence: string
  /** A second sentence. */
  more?: ReactNode
  children?: ReactNode
}

export function EmptyState({ drawing, title, sentence, more, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <div className={styles.drawing}>{drawing}</div>
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.sentence}>{sentence}</p>
      {more && <p className={styles.sentence}>{more}</p>}
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
