/** Placeholders of the same size as the queue's rows, fading downwards. */
import styles from './queue-skeleton.module.css'

const opacities = [1, 0.8, 0.6, 0.4, 0.2]

export function QueueSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      {opacities.map(opacity => (
        <div key={opacity} className={styles.row} style={{ opacity }}>
          <span className={styles.picture} />
          <span className={styles.words}>
            <span className={styles.bar} style={{ width: 220 }} />
            <span className={styles.bar} style={{ width: 160 }} />
          </span>
        </div>
      ))}
    </div>
  )
}
