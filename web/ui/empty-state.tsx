/** The message in the middle of a page that has nothing to list. */
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  drawing: ReactNode
  title: string
  sentence: string
  /** A second sentence. */
  more?: ReactNode
  /** Whether its title is the heading of the whole page. */
  isMain?: boolean
  children?: ReactNode
}

export function EmptyState({ drawing, title, sentence, more, isMain = false, children }: EmptyStateProps) {
  const Title = isMain ? 'h1' : 'h2'
  return (
    <div className={styles.state}>
      <div className={styles.drawing}>{drawing}</div>
      <Title className={styles.title}>{title}</Title>
      <p className={styles.sentence}>{sentence}</p>
      {more && <p className={styles.sentence}>{more}</p>}
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
