/** The largest files of the own tree, page by page. */
import { type InfiniteData, infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { OutputOf } from '../../../src/api/endpoint.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import { listLargest } from '../../../src/api/search.ts'
import { call } from '../server/call.ts'
import { firstPageSize } from '../server/first-calls.ts'
import type { LargestSearch } from './largest-search.ts'
import { shareEqual } from './paging.ts'

type LargestPages = InfiniteData<OutputOf<typeof listLargest>>

export const largestQuery = ({ kind, duplicates }: LargestSearch) =>
  infiniteQueryOptions({
    queryKey: ['largest', kind, duplicates],
    queryFn: async ({ pageParam, queryKey, client }) => {
      const limit = pageParam === undefined ? firstPageSize : maxPageSize
      const page = await call(listLargest, {
        kind,
        duplicates: duplicates ? 'true' : undefined,
        limit,
        cursor: pageParam,
      })
      return shareEqual(client.getQueryData<LargestPages>(queryKey), pageParam, page)
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  })
