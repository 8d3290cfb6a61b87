/** The contents of the trash, page by page, and how to empty it. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { create } from 'zustand'
import { maxPageSize } from '../../../src/api/limits.ts'
import { emptyTrash, listTrash } from '../../../src/api/trash.ts'
import { call } from '../server/call.ts'
import { refreshItems } from './folders.ts'

export const trashQuery = infiniteQueryOptions({
  queryKey: ['trash'],
  queryFn: ({ pageParam }) => call(listTrash, { limit: maxPageSize, cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.next_cursor ?? undefined,
})

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
