/** The placeholders of a list in the Share dialog that is still loading. */
import styles from './share-dialog.module.css'

export function WaitingRows() {
  return (
    <div role="status" aria-label="Loading">
      {[1, 0.7, 0.4].map(opacity => (
        <div key={opacity} className={styles.entry} style={{ opacity }}>
          <span className={styles.portrait} />
          <span className={styles.bar} />
        </div>
      ))}
    </div>
  )
}
