/** A short word on a tinted background. */
import { VisuallyHidden } from '@mantine/core'
import styles from './badge.module.css'

interface BadgeProps {
  children: string
  tone?: 'grey' | 'accent' | 'warning' | 'danger' | 'success'
  /** The full meaning, as a tooltip and for screen readers. */
  hint?: string
}

export function Badge({ children, tone = 'grey', hint }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone} title={hint}>
      <span>{children}</span>
      {hint !== undefined && <VisuallyHidden>: {hint}</VisuallyHidden>}
    </span>
  )
}
