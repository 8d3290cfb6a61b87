/** The actions on items in the trash, with their confirmations and messages. */

import { IconArrowBackUp, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { abilitiesIn } from '../../../src/api/rights.ts'
import type { Space } from '../../../src/api/spaces.ts'
import { type Problem, useProblem } from '../../items/actions/use-problem.ts'
import { deleteAct, restoreAct } from '../../items/acts/item-acts.tsx'
import { perform } from '../../items/acts/perform.tsx'
import { itemCount } from '../../items/counts.ts'
import type { SelectionAct } from '../../items/list/selection/selection-acts.ts'
import { changeOne } from '../../lib/data/change.ts'
import { deleting } from '../../lib/data/item-changes.ts'
import { emptyWholeTrash, useEmptying } from '../../lib/data/trash.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { EmptyDialog } from './empty-dialog.tsx'
import { useOriginalFolder } from './use-original-folder.ts'

type Items = readonly FileItem[]

export interface TrashActions {
  mayRestore: boolean
  /** Whether the user may delete for good, and empty the trash. */
  mayRemove: boolean
  isEmptying: boolean
  problem: Problem | null
  dismissProblem: () => void
  restore: (items: Items) => void
  /** Asks first. */
  remove: (items: Items) => void
  askToEmpty: () => void
  /** Opens the folder that the item was in. */
  openFolder: (item: FileItem) => void
  /** Restoring and removing, as actions on the selection. */
  acts: readonly SelectionAct[]
  /** The dialogs of these actions; the caller renders them. */
  dialogs: ReactNode
}

interface Trash {
  /** The team folder whose trash it is; null for that of the own tree. */
  team: Space | null
  /** The items that are loaded, of `total`. */
  items: Items
  total: number
  /** The size of all items in bytes; null when unknown. */
  bytes: number | null
  /** Called with the items that are about to leave the list. */
  onLeave: (items: Items) => void
  /** Called with the items that were restored; Undo can bring them back. */
  onGone: (items: Items) => void
}

export function useTrashActions({ team, items, total, bytes, onLeave, onGone }: Trash): TrashActions {
  const mayDelete = useMay('files:delete')
  const may = team && abilitiesIn(team)
  const mayRestore = mayDelete && (may?.change ?? true)
  const mayRemove = mayDelete && (may?.share ?? true)
  const isEmptying = useEmptying(state => state.olderThan !== null)
  const [problem, setProblem] = useProblem()
  const [removing, setRemoving] = useState<Items | null>(null)
  const [isAsking, setAsking] = useState(false)
  const openFolder = useOriginalFolder()

  const restore = async (leaving: Items) => {
    onLeave(leaving)
    setProblem(null)
    const { done } = await perform(restoreAct(leaving), setProblem)
    onGone(done)
  }
  /** A single item is deleted while the dialog waits, which then shows a failure; several while the user goes on. */
  const remove = async (leaving: Items) => {
    setProblem(null)
    const [only, ...others] = leaving
    if (only !== undefined && others.length === 0) await changeOne(deleting, only)
    else void perform(deleteAct(leaving), setProblem)
    onLeave(leaving)
  }
  const empty = async (olderThan: number) => {
    setProblem(null)
    try {
      const deleted = await emptyWholeTrash(team?.folder_id ?? null, olderThan)
      showToast({ tone: 'success', message: `${itemCount(deleted)} permanently deleted` })
    } catch (error) {
      setProblem({ title: 'Failed to empty trash', reason: reasonOf(error) })
    }
  }

  const restoring: SelectionAct = { word: 'Restore', icon: IconArrowBackUp, run: chosen => void restore(chosen) }
  const deletion: SelectionAct = {
    word: 'Delete',
    full: 'Delete permanently',
    icon: IconTrash,
    tone: 'danger',
    run: setRemoving,
  }
  const dialogs = (
    <>
      <ConfirmDialog
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title="Delete Permanently"
        confirm="Delete Permanently"
        busy="Deleting..."
        onConfirm={() => (removing === null ? undefined : remove(removing))}
        failed={error => messageOf(error, 'Failed to delete item')}
      >
        <Names items={removing ?? []} /> will be deleted for good
        {removing?.some(item => item.is_shared) && ', also for those with whom it is shared'}. This action cannot be
        undone.
      </ConfirmDialog>
      <EmptyDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        items={items}
        total={total}
        bytes={bytes}
        owner={team ? ` of ${team.name}` : ''}
        onConfirm={olderThan => void empty(olderThan)}
      />
    </>
  )
  return {
    mayRestore,
    mayRemove,
    isEmptying,
    problem,
    dismissProblem: () => setProblem(null),
    restore: chosen => void restore(chosen),
    remove: setRemoving,
    askToEmpty: () => setAsking(true),
    openFolder: item => void openFolder(item),
    acts: [...(mayRestore ? [restoring] : []), ...(mayRemove ? [deletion] : [])],
    dialogs,
  }
}

/** The subject of the question: a name, or the number of items. */
function Names({ items }: { items: Items }) {
  const [only] = items
  if (only === undefined || items.length > 1) return <strong>{itemCount(items.length)}</strong>
  return (
    <>
      <strong>{only.name}</strong>
      {only.is_directory && ' with all it holds'}
    </>
  )
}
