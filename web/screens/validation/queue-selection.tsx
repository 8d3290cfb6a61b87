/** The selection of the queue: which files can be selected, the keys, and the acts on several files. */
import { useWindowEvent } from '@mantine/hooks'
import { IconCheck, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { PendingFile } from '../../../src/api/validation.ts'
import type { Problem } from '../../items/actions/use-problem.ts'
import { perform } from '../../items/acts/perform.tsx'
import { isForList } from '../../items/list/key-targets.ts'
import type { Listing } from '../../items/list/listing.ts'
import type { SelectionAct } from '../../items/list/selection/selection-acts.ts'
import { type Selection, useSelection } from '../../items/list/selection/use-selection.ts'
import type { Decision, QueueKey } from '../../items/review/queue-edits.ts'
import { RejectDialog } from '../../items/review/reject-dialog.tsx'
import { deciding } from './deciding.ts'

export interface QueueSelection {
  selection: Selection<PendingFile>
  /** The files that can be selected. */
  listing: Listing<PendingFile>
  acts: readonly SelectionAct[]
  /** The dialog of these acts; the caller renders it. */
  dialog: ReactNode
}

interface Queue {
  files: readonly PendingFile[]
  queryKey: QueueKey
  /** Whether the user may not decide on a file. */
  isForbidden: (file: PendingFile) => boolean
  onFailure: (file: PendingFile, error: unknown) => void
  tell: (problem: Problem | null) => void
}

const nothing = (): void => undefined

export function useQueueSelection({ files, queryKey, isForbidden, onFailure, tell }: Queue): QueueSelection {
  const items = files.filter(file => !isForbidden(file))
  const listing = { items, total: items.length, folders: 0, loadMore: nothing, isStuck: false }
  const selection = useSelection(listing)
  const [rejected, setRejected] = useState<readonly PendingFile[]>([])
  /** What was typed for a rejection that failed. */
  const [reason, setReason] = useState('')
  useSelectionKeys(selection)

  const decide = async (chosen: readonly PendingFile[], decision: Decision) => {
    tell(null)
    const { done, failed } = await perform(actOn(chosen, queryKey, decision), tell)
    // One whose content is replaced later waits here again.
    selection.forget(done)
    for (const { item, error } of failed) onFailure(item, error)
    if (decision.comment !== undefined) setReason(failed.length > 0 ? decision.comment : '')
  }
  const acts: SelectionAct[] = [
    { word: 'Reject', icon: IconX, run: () => setRejected(selection.items) },
    { word: 'Approve', icon: IconCheck, run: () => void decide(selection.items, { status: 'approved' }) },
  ]
  return {
    selection,
    listing,
    acts,
    dialog: (
      <RejectDialog
        count={rejected.length}
        reason={reason}
        onClose={() => setRejected([])}
        onReject={comment => void decide(rejected, { status: 'rejected', comment })}
      />
    ),
  }
}

const actOn = (items: readonly PendingFile[], queryKey: QueueKey, decision: Decision) => ({
  items,
  change: deciding(queryKey, decision),
  title: decision.status === 'approved' ? 'Approving' : 'Rejecting',
  what: () => decision.status,
  failure: decision.status === 'approved' ? 'Failed to approve' : 'Failed to reject',
})

function useSelectionKeys({ ids, selectAll, clear }: Selection<PendingFile>): void {
  useWindowEvent('keydown', event => {
    if (!isForList(event)) return
    if (event.key === 'Escape' && ids.size > 0) clear()
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) selectAll()
    else return
    event.preventDefault()
  })
}
