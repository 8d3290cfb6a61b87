/** Grey placeholders of the size of the cards to come, fading downwards. */
import styles from './skeleton-grid.module.css'

const cards = Array.from({ length: 24 }, (_, index) => ({ opacity: 1 - index / 24, width: 48 + ((index * 37) % 40) }))

export const SkeletonGrid = () => (
  <div className={styles.grid} role="status" aria-label="Loading">
    {cards.map(({ opacity, width }) => (
      <div key={opacity} className={styles.card} style={{ opacity }}>
        <span className={styles.picture} />
        <span className={styles.bar} style={{ width: `${width}%` }} />
        <span className={styles.bar} style={{ width: 48 }} />
      </div>
    ))}
  </div>
)
