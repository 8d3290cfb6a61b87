/** The actions on items, with the messages about their results. */
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { maxBatchSize } from '../../../src/api/limits.ts'
import type { Outcome } from '../../lib/data/batch.ts'
import {
  favoriteItems,
  moveBack,
  moveBackToTrash,
  moveItems,
  renameItem,
  restoreItems,
  trashItems,
} from '../../lib/data/item-changes.ts'
import { downloadArchive, downloadItem, downloadItems } from '../../lib/local/download.ts'
import { openPreview } from '../../lib/local/preview.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { showError } from '../../ui/toast.tsx'
import type { Destination } from '../destination.ts'
import { copyInSight } from './copy-notice.tsx'
import { ItemDialogs, type OpenDialog } from './item-dialogs.tsx'
import { ToastName } from './toast-name.tsx'
import { offerUndo } from './undo-toast.tsx'
import { type Problem, useProblem } from './use-problem.ts'

type Items = readonly FileItem[]

/** What the user may do to items besides reading them. */
export interface ItemRights {
  /** Rename, move, copy, favourite. */
  change: boolean
  trash: boolean
  tag: boolean
}

export interface ItemActions {
  may: ItemRights
  problem: Problem | null
  dismissProblem: () => void
  /** Resolves with whether the server refused the new name of an item that still exists. */
  rename: (item: FileItem, name: string) => Promise<boolean>
  move: (items: Items, to: Destination) => void
  trash: (items: Items) => void
  /** Downloads the files, one after the other; skips folders. */
  download: (items: Items) => void
  /** Downloads everything as one ZIP file, folders with their contents. */
  archive: (items: Items) => void
  /** Makes all items favourites or, if all are favourites, none. */
  favorite: (items: Items) => void
  preview: (item: FileItem) => void
  /** Opens the full-page viewer. */
  viewPdf: (item: FileItem) => void
  manageTags: (items: Items) => void
  /** Asks for the folder first. */
  moveTo: (items: Items) => void
  copyTo: (items: Items) => void
  /** The dialogs of these actions; the caller renders them. */
  dialogs: ReactNode
}

const toFolder = (verb: string, { name }: Destination): ReactNode => (
  <>
    {verb} to <ToastName item={{ name, is_directory: true }} />
  </>
)

/** `listed` is the list that contains the items; `onLeave` is called with items about to leave the folder. */
export function useItemActions(listed: Items, onLeave: (items: Items) => void): ItemActions {
  const navigate = useNavigate()
  const may = { change: useMay('files:write'), trash: useMay('files:delete'), tag: useMay('tags:write') }
  const [problem, setProblem, settle] = useProblem()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const fail = (title: string) => (error: unknown) => setProblem({ title, reason: reasonOf(error) })
  const report = ({ done, failed, error }: Outcome, title: string) => {
    if (failed.length === 0) return
    const share = done.length === 0 ? '' : `${failed.length} of ${failed.length + done.length} items: `
    setProblem({ title, reason: share + reasonOf(error) })
  }
  const rename = async (item: FileItem, name: string) => {
    try {
      await renameItem(item, name)
      // Clears only an old rename error; errors of other actions stay.
      settle('Rename failed')
      return false
    } catch (error) {
      fail('Rename failed')(error)
      return !(error instanceof ApiError && error.status === 404)
    }
  }

  const move = async (items: Items, to: Destination) => {
    onLeave(items)
    const outcome = await moveItems(items, to.id)
    report(outcome, 'Move failed')
    offerUndo({
      items: outcome.done,
      what: toFolder('moved', to),
      undo: () => moveBack(outcome.done),
      undone: 'moved back',
      failure: 'Move failed',
    })
  }
  const copy = async (items: Items, to: Destination) => {
    const outcome = await copyInSight(items, to.id)
    report(outcome, 'Copy failed')
    offerUndo({
      items: outcome.done,
      what: toFolder('copied', to),
      undo: () => moveBackToTrash(outcome.done),
      undone: 'moved to the trash',
      failure: 'Failed to move to trash',
    })
  }
  const trash = async (items: Items) => {
    onLeave(items)
    const outcome = await trashItems(items)
    report(outcome, items.length === 1 ? 'Failed to move to trash' : 'Failed to move items to trash')
    offerUndo({
      items: outcome.done,
      what: 'moved to the trash',
      undo: () => restoreItems(outcome.done),
      undone: 'restored',
      failure: 'Failed to restore item',
    })
  }
  const download = async (items: Items) => {
    const files = items.filter(item => !item.is_directory)
    if (files.length === 0) return showError('No files selected for download (folders cannot be downloaded)')
    const [first] = files
    if (first && files.length === 1) await downloadItem(first).catch(fail('Download failed'))
    else report(await downloadItems(files), 'Bulk download failed')
  }
  const archive = async (items: Items) => {
    const title = items.length === 1 ? 'Download failed' : 'Bulk download failed'
    if (items.length <= maxBatchSize) return downloadArchive(items).catch(fail(title))
    const most = maxBatchSize.toLocaleString('en-US')
    setProblem({
      title,
      reason: `One ZIP file takes at most ${most} items. A folder's own ZIP file has no such limit.`,
    })
  }
  const favorite = async (items: Items) => {
    const isFavorite = !items.every(item => item.is_favorite)
    report(await favoriteItems(items, isFavorite), 'Failed to toggle favorite')
  }
  const manageTags = (items: Items) => {
    const files = items.filter(item => !item.is_directory)
    if (files.length === 0) showError('No files selected for tagging (folders cannot be tagged)')
    else setDialog({ kind: 'tags', items: files })
  }

  return {
    may,
    problem,
    dismissProblem: () => setProblem(null),
    rename,
    move: (items, to) => void move(items, to),
    trash: items => void trash(items),
    download: items => void download(items),
    archive: items => void archive(items),
    favorite: items => void favorite(items),
    preview: item => openPreview(item, listed),
    viewPdf: ({ id }) => void navigate({ to: '/view/$fileId', params: { fileId: String(id) } }),
    manageTags,
    moveTo: items => setDialog({ kind: 'move', items }),
    copyTo: items => setDialog({ kind: 'copy', items }),
    dialogs: (
      <ItemDialogs
        dialog={dialog}
        onClose={() => setDialog(null)}
        onMove={(items, to) => void move(items, to)}
        onCopy={(items, to) => void copy(items, to)}
      />
    ),
  }
}
