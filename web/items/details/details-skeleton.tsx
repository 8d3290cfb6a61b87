/** The details panel while its code loads: grey bars in place of picture, name and facts. */
import { useDelayed } from '../../ui/use-delayed.ts'
import styles from './details-skeleton.module.css'

const facts = ['70%', '40%', '55%', '45%']

export function DetailsSkeleton() {
  if (!useDelayed(true, 150)) return null
  return (
    <div className={styles.body} role="status" aria-label="Loading">
      <div className={styles.picture} />
      <div className={styles.name} />
      <div className={styles.kind} />
      <div className={styles.facts}>
        {facts.map((width, index) => (
          <div key={width} className={styles.fact} style={{ width, opacity: 1 - index * 0.2 }} />
        ))}
      </div>
    </div>
  )
}
