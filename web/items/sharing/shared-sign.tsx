/** The sign of an item that others were given access to. */
import { IconUsers } from '@tabler/icons-react'
import styles from './shared-sign.module.css'

export function SharedSign({ size = 14 }: { size?: number }) {
  return (
    <span className={styles.sign} role="img" aria-label="Shared" title="Shared">
      <IconUsers size={size} stroke={1.75} aria-hidden />
    </span>
  )
}
