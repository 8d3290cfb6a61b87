/** A placeholder of the same size for a row that is not loaded yet. */
import type { CSSProperties } from 'react'
import styles from './empty-row.module.css'

export function EmptyRow({ index, style }: { index: number; style: CSSProperties }) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-label="Loading"
      className={styles.row}
      style={style}
      tabIndex={-1}
      data-index={index}
    >
      <span role="gridcell" className={styles.cell}>
        <span className={styles.tile} />
        <span className={styles.bar} style={{ width: `${18 + ((index * 37) % 23)}%` }} />
      </span>
    </div>
  )
}
