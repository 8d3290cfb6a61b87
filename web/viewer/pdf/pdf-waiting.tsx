/** An empty sheet of paper while a document comes: at once, for it lies where the first page will. */
import styles from './pdf-waiting.module.css'

export function PdfWaiting() {
  return (
    <div className={styles.waiting}>
      <div className={styles.paper} role="status" aria-label="Loading" />
    </div>
  )
}
