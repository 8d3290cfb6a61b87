/** Grey placeholders of exactly the size of the rows to come, fading downwards. */
import styles from './skeleton-rows.module.css'

const rows = Array.from({ length: 14 }, (_, index) => ({ opacity: 1 - index / 14, width: 18 + ((index * 37) % 23) }))

/** The usual columns: where the bar stands in each. */
const usual = ['start', 'end', 'start'] as const
const widths = [64, 56, 72] as const

export function SkeletonRows({ columns = usual }: { columns?: readonly ('start' | 'end')[] }) {
  return (
    <div className={styles.rows} role="status" aria-label="Loading">
      {rows.map(({ opacity, width }) => (
        <div key={opacity} className={styles.row} style={{ opacity }}>
          <span className={styles.tile} />
          <span className={styles.bars}>
            <span className={styles.bar} style={{ width: `${width}%` }} />
            <span className={styles.meta} />
          </span>
          {columns.map((side, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the bars of a row have nothing else to tell them apart
            <span key={index} className={styles.column} data-side={side} style={{ width: widths[index % 3] }} />
          ))}
        </div>
      ))}
    </div>
  )
}
