/** A short word on a soft ground. */
import styles from './badge.module.css'

interface BadgeProps {
  children: string
  tone?: 'grey' | 'accent' | 'warning' | 'danger' | 'success'
  /** What is behind the word, as a hint. */
  hint?: string
}

export function Badge({ children, tone = 'grey', hint }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone} title={hint}>
      {children}
    </span>
  )
}
