/** An error with its cause in a box, for dialogs and panels where a strip would be too wide. */
import { Button } from '@mantine/core'
import styles from './error-box.module.css'

interface ErrorBoxProps {
  title: string
  reason: string
  onRetry?: () => void
}

export function ErrorBox({ title, reason, onRetry }: ErrorBoxProps) {
  return (
    <div className={styles.box} role="alert">
      <p className={styles.words}>
        <span className={styles.title}>{title}</span> <span>{reason}</span>
      </p>
      {onRetry && (
        <Button variant="subtle" size="xs" className={styles.action} onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  )
}
