/** The approval status of a file; nothing for an approved one. */
import type { FileItem } from '../../src/api/items.ts'
import { lazyPart } from '../lib/server/lazy-part.ts'
import { Badge } from '../ui/badge.tsx'

const Plain = () => <Badge tone="danger">Rejected</Badge>
const ReasonBadge = lazyPart(() => import('./reason-badge.tsx'), 'ReasonBadge', Plain)

interface StatusBadgeProps {
  item: Pick<FileItem, 'validation_status' | 'validation_comment'>
  /** Where the reason is: shown by a click on the badge, only a tooltip because a button is around it, or beside it. */
  reason?: 'click' | 'tooltip' | 'beside'
  /** Of the badge that can be clicked. */
  tabIndex?: number
  /** Whether a click on it selects the item instead. */
  isSelecting?: boolean
}

export function StatusBadge({ item, reason = 'click', ...rest }: StatusBadgeProps) {
  const { validation_status: status, validation_comment: comment } = item
  if (status === 'pending') return <Badge tone="warning">Pending</Badge>
  if (status !== 'rejected') return null
  if (reason === 'click' && comment) return <ReasonBadge reason={comment} {...rest} />
  return (
    <Badge tone="danger" hint={reason === 'tooltip' && comment ? comment : undefined}>
      Rejected
    </Badge>
  )
}
