/** The favourite files and folders, page by page, and how to remove one. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { listFavorites } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import { call } from '../server/call.ts'
import { favoriteItems } from './item-changes.ts'

export const favoritesQuery = infiniteQueryOptions({
  queryKey: ['favorites'],
  queryFn: ({ pageParam }) => call(listFavorites, { limit: maxPageSize, cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.next_cursor ?? undefined,
})

/** Removes an item at once, and puts it back when the server refuses. Throws the server's error. */
export async function removeFavorite(item: FileItem): Promise<void> {
  const { failed, error } = await favoriteItems([item], false)
  if (failed.length > 0) throw error
}

/** Puts an item back among the favourites. Throws the server's error. */
export async function addFavorite(item: FileItem): Promise<void> {
  const { failed, error } = await favoriteItems([item], true)
  if (failed.length > 0) throw error
}
