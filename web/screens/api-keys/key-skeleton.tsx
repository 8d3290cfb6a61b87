/** Grey placeholders while keys load. */
import { usePhone } from '../../ui/use-phone.ts'
import boxes from './key-boxes.module.css'
import styles from './key-skeleton.module.css'
import table from './key-table.module.css'
import { keyColumns } from './key-table.tsx'

const lines = [1, 2, 3, 4, 5]

export function KeySkeleton() {
  const isPhone = usePhone()
  return (
    <div role="status" aria-label="Loading" className={isPhone ? boxes.list : table.table}>
      {isPhone ? <SkeletonBoxes /> : <SkeletonRows />}
    </div>
  )
}

function SkeletonBoxes() {
  return lines.map(line => <div key={line} className={styles.box} style={{ opacity: 1 - line / 6 }} />)
}

function SkeletonRows() {
  return (
    <>
      <div className={table.head}>
        {keyColumns.map(column => (
          <span key={column}>{column}</span>
        ))}
      </div>
      {lines.map(line => (
        <div key={line} className={table.row} style={{ opacity: 1 - line / 6 }}>
          {keyColumns.map((column, index) => (
            <span key={column} className={styles.bar} style={{ width: index === 0 ? `${30 + line * 7}%` : '60%' }} />
          ))}
        </div>
      ))}
    </>
  )
}
