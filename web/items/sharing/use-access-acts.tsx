/** Changing and taking away what is granted to one person or group, with the messages about it. */
import { type ReactNode, useState } from 'react'
import type { ShareLevel } from '../../../src/api/share-levels.ts'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { changeAccess, endShare, giveAccess, removeAccess } from '../../lib/data/shares.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { showError, showToast } from '../../ui/toast.tsx'
import { closeShareDialog, type Sharable } from './share-dialog-state.ts'

interface Granted {
  item: Sharable
  /** Granted on the item itself. */
  entry: AccessEntry
  /** Whether it is the user's own, who then leaves and cannot undo it. */
  isSelf: boolean
}

interface AccessActs {
  /** Why the server refused the last change; null if it did not. */
  problem: string | null
  change: (terms: { level?: ShareLevel; expires_at?: string | null }) => void
  remove: () => void
  /** The question before leaving; the caller renders it. */
  question: ReactNode
}

/** Takes access away, with an offer to give it back. Throws the server's error. */
export async function takeAway(
  item: Sharable,
  {
    share_id,
    who,
    level,
    expires_at,
    reason,
  }: Pick<AccessEntry, 'share_id' | 'who' | 'level' | 'expires_at' | 'reason'>,
): Promise<void> {
  if (share_id === null) return
  await removeAccess(item.id, share_id)
  const whom = who.kind === 'group' ? { group_id: who.id } : { user_id: who.id }
  const giveBack = () =>
    void giveAccess({ item_id: item.id, ...whom, level, expires_at }).catch(error =>
      showError(messageOf(error, 'Failed to share')),
    )
  showToast({
    tone: 'success',
    message: `${who.name} no longer has access`,
    // The server refuses an end that is over, and a user who is disabled.
    ...(reason === 'expired' || reason === 'disabled'
      ? {}
      : { action: { label: 'Undo', run: giveBack }, isUndo: true }),
  })
}

export function useAccessActs({ item, entry, isSelf }: Granted): AccessActs {
  const [problem, setProblem] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const { share_id } = entry
  const attempt = (work: Promise<void>) => {
    setProblem(null)
    work.catch(error => setProblem(reasonOf(error)))
  }
  const leave = async () => {
    if (share_id !== null) await endShare(share_id)
    closeShareDialog()
  }
  return {
    problem,
    change: terms => {
      if (share_id !== null) attempt(changeAccess(item.id, share_id, terms))
    },
    remove: () => (isSelf ? setAsking(true) : attempt(takeAway(item, entry))),
    question: (
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Leave"
        confirm="Leave"
        onConfirm={leave}
        failed={error => messageOf(error, 'Failed to leave')}
      >
        You will no longer reach <strong>{item.name}</strong>. Only its other managers can let you in again.
      </ConfirmDialog>
    ),
  }
}
