/** A strip with an error and its cause, above content that stays visible. */
import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import styles from './error-strip.module.css'

interface ErrorStripProps {
  title: string
  reason: string
  onRetry?: () => void
  onDismiss: () => void
}

export function ErrorStrip({ title, reason, onRetry, onDismiss }: ErrorStripProps) {
  return (
    <div className={styles.strip} role="alert">
      <IconAlertCircle size={16} stroke={1.75} className={styles.icon} aria-hidden />
      <p className={styles.words}>
        <span className={styles.title}>{title}</span> <span title={reason}>{reason}</span>
      </p>
      {onRetry && (
        <Button variant="subtle" size="xs" className={styles.action} onClick={onRetry}>
          Retry
        </Button>
      )}
      <Button variant="subtle" size="xs" className={styles.action} onClick={onDismiss}>
        Dismiss
      </Button>
    </div>
  )
}
