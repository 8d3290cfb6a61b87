/** The results of a search, page by page. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../src/api/endpoint.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import { searchFiles } from '../../../src/api/search.ts'
import { shareEqual } from '../../lib/data/paging.ts'
import { isAskable, type SearchParams } from '../../lib/data/search.ts'
import { call } from '../../lib/server/call.ts'

export type SearchPages = InfiniteData<OutputOf<typeof searchFiles>>

/** Results on the first page: several windows full. */
const firstPageSize = 200

export const searchQuery = (params: SearchParams) =>
  infiniteQueryOptions({
    queryKey: ['search', params],
    queryFn: async ({ pageParam, queryKey, client }) => {
      // A sorted search has one page.
      const limit = pageParam === undefined && params.sort === undefined ? firstPageSize : maxPageSize
      const page = await call(searchFiles, { ...params, limit, cursor: pageParam })
      return shareEqual(client.getQueryData<SearchPages>(queryKey), pageParam, page)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
    structuralSharing: false,
    enabled: isAskable(params),
  })
