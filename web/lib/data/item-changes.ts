/** Renaming, moving, trashing, favourites: optimistic updates, rolled back when the server refuses. */
import type { QueryKey } from '@tanstack/react-query'
import { ApiError } from '../../../src/api/client.ts'
import { copyFile, favoriteFile, moveFile, renameFile } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { restoreFile, trashFile } from '../../../src/api/trash.ts'
import { call } from '../server/call.ts'
import { queryClient } from '../server/query-client.ts'
import { type BatchAction, changeEach, type Outcome, oneByOne } from './batch.ts'
import { folderKey, refreshItems } from './folders.ts'
import { type Edit, editLists, type Lists, rememberLists, without } from './list-edits.ts'

const everywhere: Lists = ['folder', 'search']

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404

/** Renames an item. The lists show the new name before the server answers. */
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
  void refreshItems()
}

/** A change to several items: the single call for one, the batch for more. */
interface Change {
  one: (item: FileItem) => Promise<unknown>
  many: BatchAction
}

/** An edit and the lists that show it. */
interface Shown {
  lists: Lists
  edit: Edit
}

/**
 * Shows the edits at once, asks the server, and rolls back what it refused. The lists are refetched afterwards, but
 * nobody waits for that: with many pages it takes long.
 */
export async function changeShown(
  items: readonly FileItem[],
  shown: readonly Shown[],
  { one, many }: Change,
): Promise<Outcome> {
  const lists = shown.flatMap(each => each.lists)
  await stopReading(lists, items)
  const putBack = rememberLists(lists)
  for (const each of shown) editLists(each.lists, each.edit)
  const outcome = await changeEach(items, one, many)
  putBack(outcome.failed)
  // Refetch after a failure too: somebody else may have moved or deleted the item.
  void refreshItems()
  return outcome
}

/** Cancels running requests for the affected lists; their answers would show the items as they were. */
async function stopReading(lists: Lists, items: readonly FileItem[]): Promise<void> {
  const folders = [...new Set(items.map(({ parent_id }) => parent_id))].map(folderKey)
  const keys = lists.flatMap((list): QueryKey[] => (list === 'folder' ? folders : [[list]]))
  await Promise.all(keys.map(queryKey => queryClient.cancelQueries({ queryKey })))
}

/** Moves items into a folder; null is the root. */
export const moveItems = (items: readonly FileItem[], folderId: number | null): Promise<Outcome> =>
  changeShown(items, [{ lists: ['folder'], edit: without(items) }], {
    one: ({ id }) => call(moveFile, { id, parent_id: folderId }),
    many: { action: 'move', parent_id: folderId },
  })

export const trashItems = (items: readonly FileItem[]): Promise<Outcome> =>
  changeShown(items, [{ lists: everywhere, edit: without(items) }], {
    one: ({ id }) => call(trashFile, { id }),
    many: { action: 'trash' },
  })

/** Makes items favourites, or no longer. */
export function favoriteItems(items: readonly FileItem[], isFavorite: boolean): Promise<Outcome> {
  const ids = new Set(items.map(({ id }) => id))
  const edit: Edit = item => (ids.has(item.id) ? { ...item, is_favorite: isFavorite } : item)
  return changeShown(
    items,
    [{ lists: everywhere, edit }, ...(isFavorite ? [] : [{ lists: ['favorites'] as const, edit: without(items) }])],
    {
      one: ({ id }) => call(favoriteFile, { id, is_favorite: isFavorite }),
      many: { action: 'favorite', is_favorite: isFavorite },
    },
  )
}

/**
 * Copies items into a folder, folders with their contents; null is the root. `done` are the copies. They run one after
 * the other, since a large folder takes a while and each copy locks the space. `onNext` gets the number finished so
 * far.
 */
export async function copyItems(
  items: readonly FileItem[],
  folderId: number | null,
  onNext: (behind: number) => void,
): Promise<Outcome> {
  const outcome = await oneByOne(items, async ({ id }, behind) => {
    onNext(behind)
    return (await call(copyFile, { id, parent_id: folderId })).file
  })
  void refreshItems()
  return outcome
}

/** Moves items back to their old folders, one call per folder. Throws the first failure. */
export async function moveBack(items: readonly FileItem[]): Promise<void> {
  const places = new Set(items.map(({ parent_id }) => parent_id))
  let failure: unknown
  for (const place of places) {
    const group = items.filter(({ parent_id }) => parent_id === place)
    const { error } = await changeEach(group, ({ id }) => call(moveFile, { id, parent_id: place }), {
      action: 'move',
      parent_id: place,
    })
    failure ??= error
  }
  void refreshItems()
  if (failure !== undefined) throw failure
}

/** Moves items to the trash to undo a change. Throws the first failure. */
export async function moveBackToTrash(items: readonly FileItem[]): Promise<void> {
  const { error } = await trashItems(items)
  if (error !== undefined) throw error
}

/** Restores items from the trash. Returns the restored item when there was only one. */
export async function restoreItems(items: readonly Pick<FileItem, 'id'>[]): Promise<FileItem | undefined> {
  let restored: FileItem | undefined
  const one = async ({ id }: Pick<FileItem, 'id'>) => {
    restored = (await call(restoreFile, { id })).file
  }
  const { error } = await changeEach(items, one, { action: 'restore' })
  void refreshItems()
  if (error !== undefined) throw error
  return restored
}
