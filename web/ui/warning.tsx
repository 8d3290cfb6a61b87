/** A box that warns of something, or in red says that it has come to pass. */
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './warning.module.css'

export function Warning({ level, children }: { level: 'warning' | 'danger'; children: ReactNode }) {
  return (
    <p className={styles.warning} data-level={level}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      {children}
    </p>
  )
}
