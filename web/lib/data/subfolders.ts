/** The folders inside a folder, for the tree and the folder picker. They load page by page, and refetch together. */
import { queryOptions } from '@tanstack/react-query'
import { listFiles } from '../../../src/api/files.ts'
import type { Breadcrumb, FileItem, FolderListing, PlaceAbilities } from '../../../src/api/items.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import { call } from '../server/call.ts'
import { queryClient } from '../server/query-client.ts'

/** What is loaded of the folders inside a folder. */
export interface Subfolders {
  /** By name, as far as they are loaded. */
  folders: readonly FileItem[]
  /** The ids of those that contain folders themselves. */
  withFolders: ReadonlySet<number>
  /** How many there are, loaded or not. */
  total: number
  /** The path of the outer folder: `/Docs/2026`, or `/` for the root. */
  path: string
  /** The outer folder; null for the root of the own tree. */
  folder: FileItem | null
  /** What the user may do in it. */
  may: PlaceAbilities
  /** From the first folder below the root to the outer folder itself. */
  trail: readonly Breadcrumb[]
  /** The cursor of the next page; null when all are loaded. */
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
  folder: page.folder,
  may: page.may,
  trail: page.breadcrumbs,
  cursor: page.next_cursor,
})

/** The folders inside a folder; null is the root. A refetch loads as many as were loaded before. */
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

/** The cached folders of a folder. */
export const subfoldersOf = (folderId: number | null): Subfolders | undefined =>
  queryClient.getQueryData<Subfolders>(subfoldersKey(folderId))

/** Adds the next page to what is loaded. */
export async function loadMoreSubfolders(folderId: number | null): Promise<void> {
  const known = subfoldersOf(folderId)
  if (known === undefined || known.cursor === null) return
  const page = await load(folderId, known.cursor)
  // If the list was refetched meanwhile, drop the page: it belongs to the old list.
  queryClient.setQueryData<Subfolders>(subfoldersKey(folderId), now =>
    now?.cursor === known.cursor ? append(now, page) : now,
  )
}
