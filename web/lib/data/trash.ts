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

/**
 * The days that items which are being deleted have been in the trash at least, 0 for all; null while none are. The
 * deletion continues while the user visits other sections.
 */
export const useEmptying = create<{ olderThan: number | null }>(() => ({ olderThan: null }))

/** Deletes a trash permanently, or what has been in it for some days; returns the number of items. May take minutes. */
export async function emptyWholeTrash(folderId: number | null, olderThan: number): Promise<number> {
  useEmptying.setState({ olderThan })
  try {
    return (await call(emptyTrash, { folder_id: folderId ?? undefined, older_than_days: olderThan })).deleted
  } finally {
    await refreshItems()
    useEmptying.setState({ olderThan: null })
  }
}
