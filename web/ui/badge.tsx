/** A short word on a soft ground. */
import styles from './badge.module.css'

export function Badge({ children, tone = 'grey' }: { children: string; tone?: 'grey' | 'accent' }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  )
}
