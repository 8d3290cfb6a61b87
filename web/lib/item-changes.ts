/** Renaming, moving, trashing, favourites: shown at once, and taken back when the server refuses. */
import type { InfiniteData } from '@tanstack/react-query'
import { ApiError } from '../../src/api/client.ts'
import { copyFile, favoriteFile, moveFile, renameFile, restoreFile, trashFile } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { type BatchAction, changeEach, type Outcome } from './batch.ts'
import { call } from './call.ts'
import { folderKey, refreshItems } from './folders.ts'
import { queryClient } from './query-client.ts'

/** What becomes of an entry; null takes it out. */
type Edit = (item: FileItem) => FileItem | null

/** One page of a folder or of a search, whose folders stand among its files. */
interface Page {
  files: FileItem[]
  folders?: FileItem[]
  total: number
  total_folders?: number
}

type Pages = InfiniteData<Page>

/** Lists as the cache names them: `folder` for folders in every order, `search` for what was found. */
type Lists = readonly ('folder' | 'search')[]

const everywhere: Lists = ['folder', 'search']

/** Applies an edit to every entry of the lists in the cache. */
function editLists(lists: Lists, edit: Edit): void {
  for (const list of lists) {
    queryClient.setQueriesData<Pages>({ queryKey: [list] }, data => data && editPages(data, edit))
  }
}

/** What the cache holds of the lists; given to `putBack`, it is there again. */
const snapshot = (lists: Lists) => lists.flatMap(list => queryClient.getQueriesData<Pages>({ queryKey: [list] }))

function putBack(before: ReturnType<typeof snapshot>): void {
  for (const [queryKey, data] of before) queryClient.setQueryData(queryKey, data)
}

/** What nothing is edited in stays the same object, so that it is not drawn anew. */
function editPages(data: Pages, edit: Edit): Pages {
  const apply = (items: FileItem[]) => {
    const edited = items.map(edit)
    return edited.every((item, index) => item === items[index]) ? items : edited.filter(item => item !== null)
  }
  const pages = data.pages.map(page => {
    const files = apply(page.files)
    const folders = page.folders && apply(page.folders)
    return files === page.files && folders === page.folders ? page : { ...page, files, folders }
  })
  if (pages.every((page, index) => page === data.pages[index])) return data
  const lost = (kind: 'folders' | 'files') =>
    data.pages.reduce((sum, page, index) => sum + (page[kind]?.length ?? 0) - (pages[index]?.[kind]?.length ?? 0), 0)
  const folders = lost('folders')
  const all = folders + lost('files')
  if (all === 0) return { ...data, pages }
  const counted = ({ total, total_folders, ...page }: Page): Page => ({
    ...page,
    total: total - all,
    ...(total_folders === undefined ? {} : { total_folders: total_folders - folders }),
  })
  return { ...data, pages: pages.map(counted) }
}

/** An edit that takes these items out. */
function without(gone: readonly FileItem[]): Edit {
  const ids = new Set(gone.map(({ id }) => id))
  return item => (ids.has(item.id) ? null : item)
}

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Renames an item; the lists show the new name while the server is asked. */
export async function renameItem(item: FileItem, name: string): Promise<void> {
  const rename =
    (next: string): Edit =>
    entry =>
      entry.id === item.id ? { ...entry, name: next } : entry
  await queryClient.cancelQueries({ queryKey: folderKey(item.parent_id) })
  editLists(everywhere, rename(name))
  try {
    await call(renameFile, { id: item.id, name })
  } catch (error) {
    editLists(everywhere, rename(item.name))
    if (isGone(error)) await refreshItems()
    throw error
  }
  await refreshItems()
}

/** A change to several items: the single call for one, the batch for more. */
interface Change {
  one: (item: FileItem) => Promise<unknown>
  many: BatchAction
}

/** Makes the edit show at once, asks the server, and puts back what was refused. */
async function changeShown(
  items: readonly FileItem[],
  { lists, edit }: { lists: Lists; edit: Edit },
  { one, many }: Change,
): Promise<Outcome> {
  const parents = [...new Set(items.map(({ parent_id }) => parent_id))]
  await Promise.all(parents.map(parent => queryClient.cancelQueries({ queryKey: folderKey(parent) })))
  const before = snapshot(lists)
  editLists(lists, edit)
  const outcome = await changeEach(items, one, many)
  if (outcome.failed.length > 0) {
    putBack(before)
    const done = new Set(outcome.done.map(({ id }) => id))
    editLists(lists, item => (done.has(item.id) ? edit(item) : item))
  }
  // What has gone in another tab goes here too.
  if (outcome.done.length > 0 || isGone(outcome.error)) await refreshItems()
  return outcome
}

/** Moves items into a folder; null is the root. */
export const moveItems = (items: readonly FileItem[], folderId: number | null): Promise<Outcome> =>
  changeShown(
    items,
    { lists: ['folder'], edit: without(items) },
    { one: ({ id }) => call(moveFile, { id, parent_id: folderId }), many: { action: 'move', parent_id: folderId } },
  )

export const trashItems = (items: readonly FileItem[]): Promise<Outcome> =>
  changeShown(
    items,
    { lists: everywhere, edit: without(items) },
    { one: ({ id }) => call(trashFile, { id }), many: { action: 'trash' } },
  )

/** Makes items favourites, or no longer. */
export function favoriteItems(items: readonly FileItem[], isFavorite: boolean): Promise<Outcome> {
  const ids = new Set(items.map(({ id }) => id))
  return changeShown(
    items,
    { lists: everywhere, edit: item => (ids.has(item.id) ? { ...item, is_favorite: isFavorite } : item) },
    {
      one: ({ id }) => call(favoriteFile, { id, is_favorite: isFavorite }),
      many: { action: 'favorite', is_favorite: isFavorite },
    },
  )
}

/**
 * Copies items into a folder, a folder with all below it; null is the root. `done` are the copies. One after the
 * other: a copy of a large folder takes a while, and the space is locked for each.
 */
export async function copyItems(items: readonly FileItem[], folderId: number | null): Promise<Outcome> {
  const outcome: Outcome = { done: [], failed: [], error: undefined }
  for (const item of items) {
    try {
      outcome.done.push((await call(copyFile, { id: item.id, parent_id: folderId })).file)
    } catch (error) {
      outcome.failed.push(item)
      outcome.error ??= error
    }
  }
  if (outcome.done.length > 0) await refreshItems()
  return outcome
}

/** Moves items back to where they were, each group to its folder. Throws the first failure. */
export async function moveBack(items: readonly FileItem[]): Promise<void> {
  const places = new Set(items.map(({ parent_id }) => parent_id))
  for (const place of places) {
    const group = items.filter(({ parent_id }) => parent_id === place)
    const { error } = await changeEach(group, ({ id }) => call(moveFile, { id, parent_id: place }), {
      action: 'move',
      parent_id: place,
    })
    if (error !== undefined) throw error
  }
  await refreshItems()
}

/** Brings items back from the trash; gives back what the last one became where it was the only one. */
export async function restoreItems(items: readonly Pick<FileItem, 'id'>[]): Promise<FileItem | undefined> {
  let restored: FileItem | undefined
  const one = async ({ id }: Pick<FileItem, 'id'>) => {
    restored = (await call(restoreFile, { id })).file
  }
  const { error } = await changeEach(items, one, { action: 'restore' })
  await refreshItems()
  if (error !== undefined) throw error
  return restored
}
