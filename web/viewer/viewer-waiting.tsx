/** Replaces the viewer while its file loads: a head with Close, and after a moment a message. */
import { IconX } from '@tabler/icons-react'
import { useDelayed } from '../ui/use-delayed.ts'
import { ToolButton } from './tool-button.tsx'
import headStyles from './viewer-head.module.css'
import styles from './viewer-waiting.module.css'

/** Milliseconds before the message appears. */
const wordDelay = 150

export function ViewerWaiting({ onClose }: { onClose: () => void }) {
  const lasts = useDelayed(true, wordDelay)
  return (
    <>
      <div className={headStyles.head}>
        <ToolButton label="Close" icon={IconX} onClick={onClose} />
      </div>
      <p className={styles.word} role="status">
        {lasts && 'Loading…'}
      </p>
    </>
  )
}
