/** What the approval of a file has come to; nothing is said of an approved one. */
import type { FileItem } from '../../src/api/items.ts'
import { Badge } from '../ui/badge.tsx'

interface StatusBadgeProps {
  item: Pick<FileItem, 'validation_status' | 'validation_comment'>
  /** Whether the reason stands beside it in full: then it is no hint. */
  isReasonShown?: boolean
}

export function StatusBadge({ item, isReasonShown = false }: StatusBadgeProps) {
  if (item.validation_status === 'pending') return <Badge tone="warning">Pending</Badge>
  if (item.validation_status === 'rejected') {
    return (
      <Badge tone="danger" hint={isReasonShown ? undefined : (item.validation_comment ?? undefined)}>
        Rejected
      </Badge>
    )
  }
  return null
}
