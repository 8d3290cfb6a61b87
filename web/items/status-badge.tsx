/** The approval status of a file; nothing for an approved one. */
import type { FileItem } from '../../src/api/items.ts'
import { Badge } from '../ui/badge.tsx'

interface StatusBadgeProps {
  item: Pick<FileItem, 'validation_status' | 'validation_comment'>
  /** Whether the reason is shown next to it, so that it needs no tooltip. */
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
