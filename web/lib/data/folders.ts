/** What stands in a folder, page by page, as the cache holds it. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { createFolder, listFiles, type SortKey, type SortOrder } from '../../../src/api/files.ts'
import type { FileItem, FolderListing } from '../../../src/api/items.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import { call } from '../server/call.ts'
import { firstPageSize } from '../server/first-calls.ts'
import { queryClient } from '../server/query-client.ts'
import { shareEqual } from './paging.ts'

export interface Sorting {
  sort: SortKey
  order: SortOrder
}

export type FolderPages = InfiniteData<FolderListing>

/** The cache's name for every listing of a folder, whatever its order. */
export const folderKey = (folderId: number | null) => ['folder', folderId ?? 'root'] as const

/** The listing of a folder in one order; null is the root. */
export const folderQuery = (folderId: number | null, sorting: Sorting) =>
  infiniteQueryOptions({
    queryKey: [...folderKey(folderId), sorting.sort, sorting.order],
    queryFn: async ({ pageParam, queryKey, client }) => {
      const limit = pageParam === undefined ? firstPageSize : maxPageSize
      const page = await call(listFiles, { ...sorting, parent_id: folderId, limit, cursor: pageParam })
      return shareEqual(client.getQueryData<FolderPages>(queryKey), pageParam, page)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
    structuralSharing: false,
  })

/** All loaded entries in the order shown: folders first on each page, and pages in turn. */
export const itemsOf = (data: FolderPages): FileItem[] => data.pages.flatMap(page => [...page.folders, ...page.files])

/** What the cache holds of items, by the first word of its keys. */
const itemKeys = ['folder', 'tree', 'search', 'trash', 'favorites', 'stats', 'item', 'pending']

/** Makes everything on screen that shows items ask the server again. */
export function refreshItems(): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => itemKeys.includes(String(queryKey[0])) })
}

/** Creates a folder; the listings show it once they have been read again. */
export async function makeFolder(name: string, parentId: number | null): Promise<FileItem> {
  const { file } = await call(createFolder, { name, parent_id: parentId })
  void refreshItems()
  return file
}
