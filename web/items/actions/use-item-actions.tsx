/** The actions on items, with the messages about their failures. */
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { maxBatchSize } from '../../../src/api/limits.ts'
import type { Outcome } from '../../lib/data/batch.ts'
import {
  downloadArchive,
  downloadItem,
  downloadItems,
  findWholeFolder,
  maxSeparateDownloads,
} from '../../lib/local/download.ts'
import { openPreview } from '../../lib/local/preview.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { showError } from '../../ui/toast.tsx'
import { act } from '../acts/lazy-acts.ts'
import type { Destination } from '../destination.ts'
import { useRights } from '../rights.ts'
import { openShareDialog } from '../sharing/share-dialog-state.ts'
import { ItemDialogs, type OpenDialog } from './item-dialogs.tsx'
import { type Problem, useProblem } from './use-problem.ts'

type Items = readonly FileItem[]

export interface ItemActions {
  /** What the user may do with all of some items. */
  mayOn: ReturnType<typeof useRights>
  problem: Problem | null
  dismissProblem: () => void
  /** Resolves with whether the server refused the new name of an item that still exists. */
  rename: (item: FileItem, name: string) => Promise<boolean>
  move: (items: Items, to: Destination) => void
  copy: (items: Items, to: Destination) => void
  trash: (items: Items) => void
  /** Downloads a few files one after the other, without folders; more items as one ZIP file. */
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
  /** Opens the Share dialog. */
  share: (item: FileItem) => void
  /** The dialogs of these actions; the caller renders them. */
  dialogs: ReactNode
}

const tooManyForArchive = (count: number): string => {
  const [most, selected] = [maxBatchSize, count].map(each => each.toLocaleString('en-US'))
  return `One ZIP file takes at most ${most} items, and ${selected} are selected. A whole folder has no such limit.`
}

/**
 * `listed` is the list that contains the items; `onLeave` is called with items about to leave the folder, and `onGone`
 * with those that have left it.
 */
export function useItemActions(
  listed: Items,
  onLeave: (items: Items) => void,
  onGone?: (items: Items) => void,
): ItemActions {
  const navigate = useNavigate()
  const mayOn = useRights()
  const [problem, setProblem, settle] = useProblem()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const fail = (title: string) => (error: unknown) => setProblem({ title, reason: reasonOf(error) })
  const rename = async (item: FileItem, name: string) => {
    const outcome = await act(acts => acts.renameAct(item, name), setProblem)
    const [refusal] = outcome?.failed ?? []
    // Clears only an old rename error; errors of other actions stay.
    if (refusal === undefined) settle('Rename failed')
    return refusal !== undefined && !(refusal.error instanceof ApiError && refusal.error.status === 404)
  }
  const leave = async (items: Items, acting: Promise<{ done: Items } | undefined>) => {
    onLeave(items)
    onGone?.((await acting)?.done ?? [])
  }
  const move = (items: Items, to: Destination) =>
    void leave(
      items,
      act(acts => acts.moveAct(items, to), setProblem),
    )
  const copy = (items: Items, to: Destination) => void act(acts => acts.copyAct(items, to), setProblem)
  const trash = (items: Items) =>
    void leave(
      items,
      act(acts => acts.trashAct(items), setProblem),
    )
  const archive = async (items: Items) => {
    const title = items.length === 1 ? 'Download failed' : 'Bulk download failed'
    await saveArchive(items).catch(fail(title))
  }
  const saveArchive = async (items: Items) => {
    if (items.length <= maxBatchSize) return downloadArchive(items)
    const folder = await findWholeFolder(items)
    if (folder !== null) return downloadArchive([folder])
    setProblem({ title: 'Bulk download failed', reason: tooManyForArchive(items.length) })
  }
  const tellFailures = ({ done, failed: [first, ...others] }: Outcome) => {
    if (first === undefined) return
    const share = done.length === 0 ? '' : `${others.length + 1} of ${done.length + others.length + 1} items: `
    setProblem({ title: 'Bulk download failed', reason: share + reasonOf(first.error) })
  }
  const download = async (items: Items) => {
    const files = items.filter(item => !item.is_directory)
    const [first] = files
    if (first === undefined) showError('No files selected for download (folders cannot be downloaded)')
    else if (items.length > maxSeparateDownloads) await archive(items)
    else if (files.length === 1) await downloadItem(first).catch(fail('Download failed'))
    else tellFailures(await downloadItems(files))
  }
  const manageTags = (items: Items) => {
    const files = items.filter(item => !item.is_directory)
    if (files.length === 0) showError('No files selected for tagging (folders cannot be tagged)')
    else setDialog({ kind: 'tags', items: files })
  }

  return {
    mayOn,
    problem,
    dismissProblem: () => setProblem(null),
    rename,
    move,
    copy,
    trash,
    download: items => void download(items),
    archive: items => void archive(items),
    // A single item shows its star.
    favorite: items => void act(acts => ({ ...acts.favoriteAct(items), isQuiet: items.length === 1 }), setProblem),
    preview: item => openPreview(item, listed),
    viewPdf: ({ id }) => void navigate({ to: '/view/$fileId', params: { fileId: String(id) } }),
    manageTags,
    moveTo: items => setDialog({ kind: 'move', items }),
    copyTo: items => setDialog({ kind: 'copy', items }),
    share: openShareDialog,
    dialogs: (
      <ItemDialogs
        dialog={dialog}
        onClose={() => setDialog(null)}
        onMove={move}
        onCopy={copy}
        onTag={(files, steps) => void act(acts => acts.tagAct(files, steps), setProblem)}
      />
    ),
  }
}
