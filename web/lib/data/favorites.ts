/** The favourite files and folders, page by page. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { listFavorites } from '../../../src/api/files.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import { call } from '../server/call.ts'

export const favoritesQuery = infiniteQueryOptions({
  queryKey: ['favorites'],
  queryFn: ({ pageParam }) => call(listFavorites, { limit: maxPageSize, cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.next_cursor ?? undefined,
})
