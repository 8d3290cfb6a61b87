/** The folders inside a folder, as tree and folder picker load them: page by page, and together again when renewed. */
import { queryOptions } from '@tanstack/react-query'
import { listFiles } from '../../../src/api/files.ts'
import type { Breadcrumb, FileItem, FolderListing } from '../../../src/api/items.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import { call } from '../server/call.ts'
import { queryClient } from '../server/query-client.ts'

/** What is known of the folders inside a folder. */
export interface Subfolders {
  /** By name, as far as they are loaded. */
  folders: readonly FileItem[]
  /** The ids of those that hold folders themselves. */
  withFolders: ReadonlySet<number>
  /** All of them, loaded or not. */
  total: number
  /** Where the outer folder is: `/Docs/2026`, for the root `/`. */
  path: string
  /** From the first folder below the root to the outer folder itself. */
  trail: readonly Breadcrumb[]
  /** Where the next page begins; null when all are loaded. */
  cursor: string | null
}

const subfoldersKey = (folderId: number | null) => ['tree', folderId ?? 'root'] as const

const load = (folderId: number | null, cursor?: string): Promise<FolderListing> =>
  call(listFiles, { parent_id: folderId, only: 'folders', limit: maxPageSize, cursor })

const append = (before: Subfolders | null, page: FolderListing): Subfolders => ({
  folders: [...(before?.folders ?? []), ...page.folders],
  withFolders: new Set([...(before?.withFolders ?? []), ...(page.with_folders ?? [])]),
  total: page.total_folders,
  path: page.path,
  trail: page.breadcrumbs,
  cursor: page.next_cursor,
})

/** The folders inside a folder; null is the root. Asked again, it brings as many as there were. */
export const subfoldersQuery = (folderId: number | null) =>
  queryOptions({
    queryKey: subfoldersKey(folderId),
    queryFn: async () => {
      const wanted = subfoldersOf(folderId)?.folders.length ?? 0
      let found = append(null, await load(folderId))
      while (found.cursor !== null && found.folders.length < wanted) {
        found = append(found, await load(folderId, found.cursor))
      }
      return found
    },
  })

/** What the cache holds of a folder's folders. */
export const subfoldersOf = (folderId: number | null): Subfolders | undefined =>
  queryClient.getQueryData<Subfolders>(subfoldersKey(folderId))

/** Adds the next page to what is loaded. */
export async function loadMoreSubfolders(folderId: number | null): Promise<void> {
  const known = subfoldersOf(folderId)
  if (known === undefined || known.cursor === null) return
  const page = await load(folderId, known.cursor)
  // Unless the list was renewed meanwhile, and the page belongs to what is no longer there.
  queryClient.setQueryData<Subfolders>(subfoldersKey(folderId), now =>
    now?.cursor === known.cursor ? append(now, page) : now,
  )
}
