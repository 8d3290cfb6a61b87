/** A blank page while a document loads. It needs no delay, because it lies exactly where the first page will. */
import styles from './pdf-waiting.module.css'

export function PdfWaiting() {
  return (
    <div className={styles.waiting}>
      <div className={styles.paper} role="status" aria-label="Loading" />
    </div>
  )
}
