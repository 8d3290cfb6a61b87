/** How many files wait for approval, beside the section's name; nothing where none does. */
import { VisuallyHidden } from '@mantine/core'
import { formatPending, usePendingCount } from '../lib/data/pending.ts'
import styles from './pending-count.module.css'

export function PendingCount() {
  const count = usePendingCount()
  if (count === 0) return null
  return (
    <span className={styles.count}>
      {formatPending(count)}
      <VisuallyHidden> pending</VisuallyHidden>
    </span>
  )
}
