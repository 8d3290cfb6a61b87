/** The buttons at the bottom of a dialog: right-aligned, the primary one last; on a phone they share the width. */
import type { ReactNode } from 'react'
import styles from './dialog-actions.module.css'

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
