/** Says in a folder to which the user may only add that it is a drop box. */
import { IconInbox } from '@tabler/icons-react'
import { dropBoxWords } from '../../../src/api/share-words.ts'
import styles from './drop-box-note.module.css'

export function DropBoxNote() {
  return (
    <p className={styles.note} title={dropBoxWords}>
      <IconInbox size={16} stroke={1.75} aria-hidden />
      <span className={styles.words}>{dropBoxWords}</span>
    </p>
  )
}
