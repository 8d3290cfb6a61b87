/** What the approval of a file has come to; nothing is said of an approved one. */
import type { FileItem } from '../../src/api/items.ts'
import { Badge } from '../ui/badge.tsx'

export function StatusBadge({ item }: { item: Pick<FileItem, 'validation_status' | 'validation_comment'> }) {
  if (item.validation_status === 'pending') return <Badge tone="warning">Pending</Badge>
  if (item.validation_status === 'rejected') {
    return (
      <Badge tone="danger" hint={item.validation_comment ?? undefined}>
        Rejected
      </Badge>
    )
  }
  return null
}
