/** How many files wait for approval, next to the section's name; nothing when there are none. */
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
