/** A text on one line that, where it does not fit, is cut before its tail instead of at its end. */
import styles from './middle-text.module.css'

/** `head` gives way, `tail` always stays. Both follow the direction of the whole text. */
export function MiddleText({ head, tail }: { head: string; tail: string }) {
  return (
    <span className={styles.text} dir="auto">
      <span className={styles.head}>{head}</span>
      <span className={styles.tail}>{tail}</span>
    </span>
  )
}
