/** What stands in the viewer's place while its file is awaited: the head with the way out, and a word once it lasts. */
import { IconX } from '@tabler/icons-react'
import { useDelayed } from '../ui/use-delayed.ts'
import { ToolButton } from './tool-button.tsx'
import headStyles from './viewer-head.module.css'
import styles from './viewer-waiting.module.css'

/** Milliseconds before the word comes. */
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
