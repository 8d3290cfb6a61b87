/** What stands in a folder, page by page, as the cache holds it. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { createFolder, listFiles, type SortKey, type SortOrder } from '../../src/api/files.ts'
import type { FileItem, FolderListing } from '../../src/api/items.ts'
import { maxPageSize } from '../../src/api/limits.ts'
import { call } from './call.ts'
import { queryClient } from './query-client.ts'

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
    queryFn: ({ pageParam }) =>
      call(listFiles, { ...sorting, parent_id: folderId, limit: maxPageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
  })

/** All loaded entries in the order shown: folders first on each page, and pages in turn. */
export const itemsOf = (data: FolderPages): FileItem[] => data.pages.flatMap(page => [...page.folders, ...page.files])

/** Makes every folder on screen, and the trash, ask the server again. */
export function refreshItems(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ['folder', 'trash'].includes(String(queryKey[0])),
  })
}

/** Creates a folder and gives it back once the listing shows it. */
export async function makeFolder(name: string, parentId: number | null): Promise<FileItem> {
  const { file } = await call(createFolder, { name, parent_id: parentId })
  await refreshItems()
  return file
}
