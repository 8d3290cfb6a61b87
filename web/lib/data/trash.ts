/** The contents of the trash, page by page, with restoring and deleting. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { create } from 'zustand'
import type { FileItem } from '../../../src/api/items.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import { deleteFile, emptyTrash, listTrash, restoreFile } from '../../../src/api/trash.ts'
import { call } from '../server/call.ts'
import { changeEach, type Outcome } from './batch.ts'
import { refreshItems } from './folders.ts'
import { changeShown } from './item-changes.ts'
import { editLists, without } from './list-edits.ts'

export const trashQuery = infiniteQueryOptions({
  queryKey: ['trash'],
  queryFn: ({ pageParam }) => call(listTrash, { limit: maxPageSize, cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.next_cursor ?? undefined,
})

/** Restores items; an optimistic update. `done` lists them as far as known: a single one has its new name and place. */
export async function restoreTrashed(items: readonly FileItem[]): Promise<Outcome> {
  const restored: FileItem[] = []
  const outcome = await changeShown(items, [{ lists: ['trash'], edit: without(items) }], {
    one: async ({ id }) => {
      restored.push((await call(restoreFile, { id })).file)
    },
    many: { action: 'restore' },
  })
  return restored.length > 0 ? { ...outcome, done: restored } : outcome
}

/** Deletes items from the trash permanently; may take long for large folders. */
export async function deleteTrashed(items: readonly FileItem[]): Promise<Outcome> {
  const outcome = await changeEach(items, ({ id }) => call(deleteFile, { id }), { action: 'delete' })
  editLists(['trash'], without(outcome.done))
  void refreshItems()
  return outcome
}

/** Whether the trash is being emptied. This continues while the user visits other sections. */
export const useEmptying = create<{ isEmptying: boolean }>(() => ({ isEmptying: false }))

/** Deletes everything in the trash permanently; returns the number of items. May take minutes. */
export async function emptyWholeTrash(): Promise<number> {
  useEmptying.setState({ isEmptying: true })
  try {
    return (await call(emptyTrash, {})).deleted
  } finally {
    await refreshItems()
    useEmptying.setState({ isEmptying: false })
  }
}
