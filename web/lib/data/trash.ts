/** The contents of the trash, page by page, and how to empty it. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { create } from 'zustand'
import { maxPageSize } from '../../../src/api/limits.ts'
import { emptyTrash, listTrash } from '../../../src/api/trash.ts'
import { call } from '../server/call.ts'
import { refreshItems } from './folders.ts'

/** The trash of a team folder; of the own tree for null. */
export const trashQuery = (folderId: number | null) =>
  infiniteQueryOptions({
    queryKey: ['trash', folderId],
    queryFn: ({ pageParam }) =>
      call(listTrash, { folder_id: folderId ?? undefined, limit: maxPageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
  })

/** Whether the trash is being emptied. This continues while the user visits other sections. */
export const useEmptying = create<{ isEmptying: boolean }>(() => ({ isEmptying: false }))

/** Deletes everything in a trash permanently; returns the number of items. May take minutes. */
export async function emptyWholeTrash(folderId: number | null): Promise<number> {
  useEmptying.setState({ isEmptying: true })
  try {
    return (await call(emptyTrash, { folder_id: folderId ?? undefined })).deleted
  } finally {
    await refreshItems()
    useEmptying.setState({ isEmptying: false })
  }
}
