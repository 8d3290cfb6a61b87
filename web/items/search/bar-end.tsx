/** The buttons after the search box. Equally wide in a folder and in a search, so that the box does not move. */
import type { ReactNode } from 'react'
import { useMay } from '../../lib/server/permissions.ts'
import styles from './bar-end.module.css'

export function BarEnd({ children }: { children: ReactNode }) {
  const mayChange = useMay('files:write')
  const mayUpload = useMay('files:upload')
  return (
    <div className={styles.end} data-full={(mayChange && mayUpload) || undefined}>
      {children}
    </div>
  )
}
