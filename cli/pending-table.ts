/** The table of files that wait for approval. */
import type { PendingFile } from '../src/api/validation.ts'
import { formatSize, formatTime } from '../terminal/format.ts'
import { formatTable } from '../terminal/table.ts'

/** The path with its owner, because the table has files of several users. */
export const ownedPath = ({ owner, path }: PendingFile): string => `${owner}:${path}`

export const formatPending = (files: readonly PendingFile[]): string =>
  formatTable(
    [{ head: 'ID', align: 'right' }, { head: 'SIZE', align: 'right' }, { head: 'UPLOADED' }, { head: 'OWNER:PATH' }],
    files.map(file => [String(file.id), formatSize(file.size), formatTime(file.created_at), ownedPath(file)]),
  )
