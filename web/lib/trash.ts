/** What stands in the trash, page by page, and the two ways out of it. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { create } from 'zustand'
import { deleteFile, emptyTrash, listTrash, restoreFile } from '../../src/api/files.ts'
import type { FileItem, ItemList } from '../../src/api/items.ts'
import { maxPageSize } from '../../src/api/limits.ts'
import { changeEach, type Outcome } from './batch.ts'
import { call } from './call.ts'
import { refreshItems } from './folders.ts'
import { queryClient } from './query-client.ts'

export const trashQuery = infiniteQueryOptions({
  queryKey: ['trash'],
  queryFn: ({ pageParam }) => call(listTrash, { limit: maxPageSize, cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.next_cursor ?? undefined,
})

/** Takes items out of the list at once; gives back what puts the list as it was. */
function hide(items: readonly FileItem[]): () => void {
  const { queryKey } = trashQuery
  const ids = new Set(items.map(({ id }) => id))
  const before = queryClient.getQueryData<InfiniteData<ItemList, string | undefined>>(queryKey)
  queryClient.setQueryData<typeof before>(queryKey, data => {
    if (data === undefined) return undefined
    const pages = data.pages.map(page => ({
      ...page,
      files: page.files.filter(({ id }) => !ids.has(id)),
      total: page.total - ids.size,
    }))
    return { ...data, pages }
  })
  return () => queryClient.setQueryData(queryKey, before)
}

/** Brings items back, shown at once. `done` are they as far as is known: a single one with its name and place now. */
export async function restoreTrashed(items: readonly FileItem[]): Promise<Outcome> {
  await queryClient.cancelQueries({ queryKey: trashQuery.queryKey })
  const putBack = hide(items)
  const restored: FileItem[] = []
  const outcome = await changeEach(
    items,
    async ({ id }) => {
      restored.push((await call(restoreFile, { id })).file)
    },
    { action: 'restore' },
  )
  if (outcome.failed.length > 0) putBack()
  await refreshItems()
  return restored.length > 0 ? { ...outcome, done: restored } : outcome
}

/** Deletes items of the trash for good; may take long for large folders. */
export async function deleteTrashed(items: readonly FileItem[]): Promise<Outcome> {
  const outcome = await changeEach(items, ({ id }) => call(deleteFile, { id }), { action: 'delete' })
  await refreshItems()
  return outcome
}

/** Whether the trash is being emptied, which goes on while one looks at other sections. */
export const useEmptying = create<{ isEmptying: boolean }>(() => ({ isEmptying: false }))

/** Deletes everything in the trash for good; gives back how many items there were. May take minutes. */
export async function emptyWholeTrash(): Promise<number> {
  useEmptying.setState({ isEmptying: true })
  try {
    return (await call(emptyTrash, {})).deleted
  } finally {
    await refreshItems()
    useEmptying.setState({ isEmptying: false })
  }
}
