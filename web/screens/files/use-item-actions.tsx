/** What can be done to items, with the words that tell how it went. */
import { useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { messageOf, reasonOf } from '../../lib/call.ts'
import { downloadItem, downloadItems } from '../../lib/download.ts'
import { moveBack, moveItems, type Outcome, renameItem, restoreItems, trashItems } from '../../lib/item-changes.ts'
import { showError, showToast } from '../../ui/toast.tsx'

/** A failure as the strip shows it. */
export interface Problem {
  title: string
  reason: string
}

/** A folder to put things into. */
export interface Destination {
  /** Null is the root. */
  id: number | null
  name: string
}

export interface ItemActions {
  problem: Problem | null
  dismissProblem: () => void
  rename: (item: FileItem, name: string) => void
  move: (items: readonly FileItem[], to: Destination) => void
  trash: (items: readonly FileItem[]) => void
  download: (items: readonly FileItem[]) => void
}

const nameOf = (items: readonly FileItem[]) =>
  items.length === 1 ? <strong>{items[0]?.name}</strong> : <strong>{items.length} items</strong>
const verb = (items: readonly FileItem[]): string => (items.length === 1 ? 'was' : 'were')

/** `onLeave` is told of the items that are about to go from the folder. */
export function useItemActions(onLeave: (items: readonly FileItem[]) => void): ItemActions {
  const [problem, setProblem] = useState<Problem | null>(null)
  const fail = (title: string) => (error: unknown) => setProblem({ title, reason: reasonOf(error) })

  const report = ({ failed, error }: Outcome, title: string) => {
    if (failed.length > 0) fail(title)(error)
  }
  const move = async (items: readonly FileItem[], to: Destination) => {
    onLeave(items)
    const outcome = await moveItems(items, to.id)
    report(outcome, 'Move failed')
    offerUndo(outcome.done, <>moved to {to.name}</>, () => moveBack(outcome.done), 'Move failed')
  }
  const trash = async (items: readonly FileItem[]) => {
    onLeave(items)
    const outcome = await trashItems(items)
    report(outcome, items.length === 1 ? 'Failed to move to trash' : 'Failed to move items to trash')
    offerUndo(outcome.done, <>moved to the trash</>, () => restoreItems(outcome.done), 'Failed to restore item')
  }
  const download = async (items: readonly FileItem[]) => {
    const files = items.filter(item => !item.is_directory)
    if (files.length === 0) return showError('No files selected for download (folders cannot be downloaded)')
    const [first] = files
    if (first && files.length === 1) await downloadItem(first).catch(fail('Download failed'))
    else await downloadItems(files).catch(fail('Bulk download failed'))
  }

  return {
    problem,
    dismissProblem: () => setProblem(null),
    rename: (item, name) => void renameItem(item, name).catch(fail('Rename failed')),
    move: (items, to) => void move(items, to),
    trash: items => void trash(items),
    download: items => void download(items),
  }
}

function offerUndo(
  done: readonly FileItem[],
  what: React.ReactNode,
  undo: () => Promise<unknown>,
  failure: string,
): void {
  if (done.length === 0) return
  showToast({
    tone: 'success',
    message: (
      <>
        {nameOf(done)} {verb(done)} {what}
      </>
    ),
    action: { label: 'Undo', run: () => void undo().catch(error => showError(messageOf(error, failure))) },
  })
}
