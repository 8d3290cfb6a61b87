/** A warning box; in red it says that the problem has occurred. */
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
