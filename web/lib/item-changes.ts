/** Renaming, moving and trashing: shown at once, and taken back when the server refuses. */

import { moveFile, renameFile, restoreFile, trashFile } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { call } from './call.ts'
import { type FolderPages, folderKey, refreshItems } from './folders.ts'
import { queryClient } from './query-client.ts'

/** What became of a change to several items; `error` is the first failure's. */
export interface Outcome {
  done: FileItem[]
  failed: FileItem[]
  error: unknown
}

type Edit = (item: FileItem) => FileItem | null

/** Applies an edit to every entry of a folder in all its cached orders; null takes the entry out. */
function editFolder(folderId: number | null, edit: Edit): void {
  queryClient.setQueriesData<FolderPages>({ queryKey: folderKey(folderId) }, data => data && editPages(data, edit))
}

function editPages(data: FolderPages, edit: Edit): FolderPages {
  const apply = (items: FileItem[]) => items.map(edit).filter(item => item !== null)
  const pages = data.pages.map(page => ({ ...page, folders: apply(page.folders), files: apply(page.files) }))
  const lost = (kind: 'folders' | 'files') =>
    data.pages.reduce((sum, page, index) => sum + page[kind].length - (pages[index]?.[kind].length ?? 0), 0)
  const folders = lost('folders')
  const all = folders + lost('files')
  return {
    ...data,
    pages: pages.map(page => ({ ...page, total: page.total - all, total_folders: page.total_folders - folders })),
  }
}

/** An edit that takes these items out. */
function without(gone: readonly FileItem[]): Edit {
  const ids = new Set(gone.map(({ id }) => id))
  return item => (ids.has(item.id) ? null : item)
}

/** Renames an item; the listing shows the new name while the server is asked. */
export async function renameItem(item: FileItem, name: string): Promise<void> {
  const rename =
    (next: string): Edit =>
    entry =>
      entry.id === item.id ? { ...entry, name: next } : entry
  await queryClient.cancelQueries({ queryKey: folderKey(item.parent_id) })
  editFolder(item.parent_id, rename(name))
  try {
    await call(renameFile, { id: item.id, name })
  } catch (error) {
    editFolder(item.parent_id, rename(item.name))
    throw error
  }
  await refreshItems()
}

/** Takes the items out of their folder at once, changes one after the other, and puts back those that failed. */
async function takeOut(items: readonly FileItem[], change: (item: FileItem) => Promise<unknown>): Promise<Outcome> {
  const parentId = items[0]?.parent_id ?? null
  const key = { queryKey: folderKey(parentId) }
  await queryClient.cancelQueries(key)
  const before = queryClient.getQueriesData<FolderPages>(key)
  editFolder(parentId, without(items))
  const outcome: Outcome = { done: [], failed: [], error: undefined }
  for (const item of items) {
    try {
      await change(item)
      outcome.done.push(item)
    } catch (error) {
      outcome.error ??= error
      outcome.failed.push(item)
    }
  }
  if (outcome.failed.length > 0) {
    for (const [queryKey, data] of before) queryClient.setQueryData(queryKey, data)
    editFolder(parentId, without(outcome.done))
  }
  if (outcome.done.length > 0) await refreshItems()
  return outcome
}

/** Moves items of one folder into another; null is the root. */
export const moveItems = (items: readonly FileItem[], folderId: number | null): Promise<Outcome> =>
  takeOut(items, item => call(moveFile, { id: item.id, parent_id: folderId }))

export const trashItems = (items: readonly FileItem[]): Promise<Outcome> =>
  takeOut(items, item => call(trashFile, { id: item.id }))

/** Moves items back to where they were. */
export async function moveBack(items: readonly FileItem[]): Promise<void> {
  for (const item of items) await call(moveFile, { id: item.id, parent_id: item.parent_id })
  await refreshItems()
}

/** Brings items back from the trash; gives back what the last one became. */
export async function restoreItems(items: readonly Pick<FileItem, 'id'>[]): Promise<FileItem | undefined> {
  let restored: FileItem | undefined
  try {
    for (const { id } of items) restored = (await call(restoreFile, { id })).file
  } finally {
    await refreshItems()
  }
  return restored
}
