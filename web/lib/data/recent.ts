/** The files that changed last, page by page. */
import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import type { OutputOf } from '../../../src/api/endpoint.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import { listRecent } from '../../../src/api/search.ts'
import { call } from '../server/call.ts'
import { firstPageSize } from '../server/first-calls.ts'
import { shareEqual } from './paging.ts'

type RecentPages = InfiniteData<OutputOf<typeof listRecent>>

export const recentQuery = infiniteQueryOptions({
  queryKey: ['recent'],
  queryFn: async ({ pageParam, queryKey, client }) => {
    const limit = pageParam === undefined ? firstPageSize : maxPageSize
    const page = await call(listRecent, { limit, cursor: pageParam })
    return shareEqual(client.getQueryData<RecentPages>(queryKey), pageParam, page)
  },
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.next_cursor ?? undefined,
  structuralSharing: false,
})
