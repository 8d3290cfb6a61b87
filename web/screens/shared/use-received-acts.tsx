/** Hiding what others share, showing it again, and leaving it. */
import { IconEye, IconEyeOff, IconLogout } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ToastName } from '../../items/actions/toast-name.tsx'
import type { ItemActions } from '../../items/actions/use-item-actions.tsx'
import { type Problem, useProblem } from '../../items/actions/use-problem.ts'
import { endShare, setHidden } from '../../lib/data/shares.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useLast } from '../../ui/use-last.ts'
import { openGroup } from './open-group.ts'
import type { ShareActs, ShareRow } from './share-row.ts'

interface ReceivedActs {
  menuOf: ShareActs['menuOf']
  problem: Problem | null
  dismiss: () => void
  /** The question before leaving; the caller renders it. */
  question: ReactNode
}

/** The row that the user is asked about, and what to call before it leaves the list. */
interface Leaving {
  row: ShareRow
  onLeave: () => void
}

export function useReceivedActs({ isHidden, actions }: { isHidden: boolean; actions: ItemActions }): ReceivedActs {
  const [problem, setProblem] = useProblem()
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  const left = useLast(leaving)

  const hide = async (row: ShareRow, hidden: boolean) => {
    setProblem(null)
    try {
      await setHidden(row.id, hidden)
    } catch (error) {
      return setProblem({ title: hidden ? 'Failed to hide' : 'Failed to show again', reason: reasonOf(error) })
    }
    showToast({
      tone: 'success',
      message: (
        <>
          <ToastName item={row.item} /> is {hidden ? 'hidden' : 'in your list again'}
        </>
      ),
      action: { label: 'Undo', run: () => void hide(row, !hidden) },
      isUndo: true,
    })
  }
  const hideFrom = (row: ShareRow, hidden: boolean, onLeave: () => void) => {
    onLeave()
    void hide(row, hidden)
  }
  const menuOf: ShareActs['menuOf'] = (row, onLeave) => [
    openGroup(row.item, actions),
    [
      isHidden
        ? { label: 'Show again', icon: IconEye, run: () => hideFrom(row, false, onLeave) }
        : { label: 'Hide', icon: IconEyeOff, run: () => hideFrom(row, true, onLeave) },
      // What a group has, one of its members cannot give up.
      ...(row.who.to === null
        ? [{ label: 'Leave…', icon: IconLogout, tone: 'danger' as const, run: () => setLeaving({ row, onLeave }) }]
        : []),
    ],
  ]
  return {
    menuOf,
    problem,
    dismiss: () => setProblem(null),
    question: (
      <ConfirmDialog
        opened={leaving !== null}
        onClose={() => setLeaving(null)}
        title="Leave"
        confirm="Leave"
        onConfirm={async () => {
          leaving?.onLeave()
          if (leaving !== null) await endShare(leaving.row.id)
        }}
        failed={error => messageOf(error, 'Failed to leave')}
      >
        You will lose your access to <strong>{left?.row.item.name}</strong>. Only those who manage it can give it to you
        again.
      </ConfirmDialog>
    ),
  }
}
