/** Grey placeholders of exactly the size of the rows to come, fading downwards. */
import styles from './skeleton-rows.module.css'

const rows = Array.from({ length: 14 }, (_, index) => ({ opacity: 1 - index / 14, width: 18 + ((index * 37) % 23) }))

export function SkeletonRows() {
  return (
    <div className={styles.rows} role="status" aria-label="Loading">
      {rows.map(({ opacity, width }) => (
        <div key={opacity} className={styles.row} style={{ opacity }}>
          <span className={styles.tile} />
          <span className={styles.bar} style={{ width: `${width}%` }} />
          <span className={styles.column} style={{ width: 64 }} />
          <span className={styles.column} style={{ width: 56 }} />
          <span className={styles.column} style={{ width: 72 }} />
        </div>
      ))}
    </div>
  )
}
