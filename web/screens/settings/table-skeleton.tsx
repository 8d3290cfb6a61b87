/** Placeholders of the same size as a table's rows, fading downwards, for a list that is slow to load. */
import { useDelayed } from '../../ui/use-delayed.ts'
import styles from './table-skeleton.module.css'

/** Milliseconds before the placeholders appear. */
const patience = 150

const rows = Array.from({ length: 10 }, (_, index) => ({ opacity: 1 - index / 10, width: 96 + ((index * 37) % 64) }))

interface TableSkeletonProps {
  isPending: boolean
  /** Pixels; on the desktop rows are 36 high. */
  phoneRowHeight: number
}

export function TableSkeleton({ isPending, phoneRowHeight }: TableSkeletonProps) {
  if (!useDelayed(isPending, patience)) return null
  return (
    <div
      className={styles.rows}
      style={{ '--phone-row': `${phoneRowHeight}px` } as React.CSSProperties}
      role="status"
      aria-label="Loading"
    >
      {rows.map(({ opacity, width }) => (
        <div key={opacity} className={styles.row} style={{ opacity }}>
          <span className={styles.bar} style={{ width }} />
          <span className={styles.bar} style={{ width: 160 - width / 2 }} />
          <span className={styles.bar} style={{ width: 56 }} />
        </div>
      ))}
    </div>
  )
}
