/** Placeholders of the same size as the rows to come. */
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import list from './trash-list.module.css'
import { trashColumns } from './trash-list.tsx'
import styles from './trash-skeleton.module.css'

const lines = Array.from({ length: 12 }, (_, index) => ({ opacity: 1 - index / 12, width: 30 + ((index * 37) % 40) }))

export function TrashSkeleton() {
  if (usePhone()) return <SkeletonRows />
  return (
    <div className={list.table} role="status" aria-label="Loading">
      <div className={list.head}>
        <span className={list.check} />
        {trashColumns.map(column => (
          <span key={column} data-column={column}>
            {column}
          </span>
        ))}
      </div>
      {lines.map(({ opacity, width }) => (
        <div key={opacity} className={styles.row} style={{ opacity }}>
          <span className={styles.tile} />
          <span className={styles.bar} style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  )
}
