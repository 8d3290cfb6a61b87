/** What is said when the storage runs low or out; nothing while there is room enough. */
import { IconAlertTriangle } from '@tabler/icons-react'
import type { StorageLevel } from '../lib/storage.ts'
import styles from './storage-warning.module.css'

const sentences: Record<StorageLevel, string> = {
  warning: "You're running low on storage space. Consider deleting old files or contact an administrator.",
  danger: 'Storage quota exceeded. Please delete some files to continue uploading.',
}

export function StorageWarning({ level }: { level: StorageLevel | null }) {
  if (level === null) return null
  return (
    <p className={styles.warning} data-level={level}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      {sentences[level]}
    </p>
  )
}
