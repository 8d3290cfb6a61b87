/** The contents of a folder, page by page, in the cache. */
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

/** The cache key of every listing of a folder, in any order. */
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

/** A folder as its listing in the cache has it; undefined while it has none. */
export function knownFolder(folderId: number): FileItem | undefined {
  const listings = queryClient.getQueriesData<FolderPages>({ queryKey: folderKey(folderId) })
  return listings.flatMap(([, data]) => data?.pages[0]?.folder ?? [])[0]
}

/** All loaded entries in the order shown: folders first on each page, and pages in turn. */
export const itemsOf = (data: FolderPages): FileItem[] => data.pages.flatMap(page => [...page.folders, ...page.files])

/** The first part of every cache key that holds items, or counts them. */
const itemKeys = [
  'folder',
  'tree',
  'search',
  'recent',
  'largest',
  'trash',
  'favorites',
  'stats',
  'item',
  'pending',
  'tags',
  'spaces',
  'shares',
  'links',
]

/** Refetches everything on screen that shows items, but for the lists that are `known` to be right. */
export function refreshItems(known: readonly string[] = []): Promise<void> {
  const stale = itemKeys.filter(key => !known.includes(key))
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => stale.includes(String(queryKey[0])) })
}

/** Creates a folder. The listings show it after the next refetch. */
export async function makeFolder(name: string, parentId: number | null): Promise<FileItem> {
  const { file } = await call(createFolder, { name, parent_id: parentId })
  void refreshItems()
  return file
}
