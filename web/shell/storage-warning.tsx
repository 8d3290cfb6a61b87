/** The warning that storage is nearly or completely full; nothing while there is enough. */
import type { StorageLevel } from '../lib/data/storage.ts'
import { Warning } from '../ui/warning.tsx'

const sentences: Record<StorageLevel, string> = {
  warning: "You're running low on storage space. Consider deleting old files or contact an administrator.",
  danger: 'Storage quota exceeded. Please delete some files to continue uploading.',
}

export function StorageWarning({ level }: { level: StorageLevel | null }) {
  return level === null ? null : <Warning level={level}>{sentences[level]}</Warning>
}
