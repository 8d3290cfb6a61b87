/** The progress while a selection loads: items that are not loaded cannot be acted on. */
import styles from './selection-progress.module.css'

export function SelectionProgress({ loaded, wanted }: { loaded: number; wanted: number }) {
  const done = Math.min(loaded, wanted)
  return (
    <div className={styles.progress}>
      <span aria-live="polite">Selecting {wanted.toLocaleString('en-US')} items…</span>
      <span className={styles.track}>
        <span
          className={styles.bar}
          role="progressbar"
          aria-label="Items loaded"
          aria-valuemin={0}
          aria-valuemax={wanted}
          aria-valuenow={done}
          style={{ width: `${(done / wanted) * 100}%` }}
        />
      </span>
      <span className={styles.count}>{done.toLocaleString('en-US')} loaded</span>
    </div>
  )
}
