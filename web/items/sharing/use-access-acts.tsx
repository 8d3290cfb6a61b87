/** Changing and taking away what is granted to one person or group, with the messages about it. */

import { type ReactNode, useState } from 'react'
import type { ShareLevel } from '../../../src/api/share-levels.ts'
import type { Sharable } from '../../../src/api/share-words.ts'
import { changeAccess, endShare } from '../../lib/data/shares.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { PersonEntry } from './access-links.ts'
import { closeShareDialog } from './share-dialog-state.ts'
import { takeAway } from './take-away.ts'

interface Granted {
  item: Sharable
  /** Granted on the item itself. */
  entry: PersonEntry
  /** Whether it is the user's own, who then leaves and cannot undo it. */
  isSelf: boolean
  /** Whether a team folder would have no manager without it. */
  isLastManager: boolean
  /** Called with a share that is about to leave the list. */
  onRemove: (share: { id: number }) => void
}

interface AccessActs {
  /** Why the server refused the last change; null if it did not. */
  problem: string | null
  change: (terms: { level?: ShareLevel; expires_at?: string | null }) => void
  remove: () => void
  /** The question before leaving; the caller renders it. */
  question: ReactNode
}

export function useAccessActs({ item, entry, isSelf, isLastManager, onRemove }: Granted): AccessActs {
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
    remove: () => {
      if (share_id === null) return
      if (isSelf) return setAsking(true)
      onRemove({ id: share_id })
      attempt(takeAway(item.id, { ...entry, id: share_id }))
    },
    question: (
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Leave"
        confirm="Leave"
        isIdle={isLastManager}
        onConfirm={leave}
        failed={error => messageOf(error, 'Failed to leave')}
      >
        {isLastManager ? (
          <>
            You are the only manager of <strong>{item.name}</strong>. Make somebody else a manager first.
          </>
        ) : (
          <>
            You will no longer reach <strong>{item.name}</strong>. Only its other managers can let you in again.
          </>
        )}
      </ConfirmDialog>
    ),
  }
}
