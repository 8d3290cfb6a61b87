/** The results for a text, and the filters. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import type { Listing } from '../../items/list/listing.ts'
import { usePages } from '../../items/list/use-pages.ts'
import {
  isAskable,
  readSearch,
  type SearchFilters,
  type SearchOrder,
  type SearchParams,
} from '../../lib/data/search.ts'
import type { Found } from './search-heading.tsx'
import { type SearchPages, searchQuery } from './search-query.ts'
import { SearchView } from './search-view.tsx'

const nothing: readonly never[] = []

function listingOf(data: SearchPages | undefined): Pick<Listing, 'items' | 'total'> {
  const items = data?.pages.flatMap(({ files }) => files) ?? nothing
  const last = data?.pages.at(-1)
  if (last?.next_cursor == null) return { items, total: items.length }
  return { items, total: Math.max(last.total_is_exact ? last.total : 0, items.length + 1) }
}

function useFound(params: SearchParams) {
  const isAsked = isAskable(params)
  const query = useInfiniteQuery({ ...searchQuery(params), placeholderData: keepPreviousData })
  const { isWaiting, isArrived, isStale, loadMore, isStuck, ...rest } = usePages(query, 'Search failed')
  const data = isAsked ? query.data : undefined
  const listing = useMemo(
    (): Listing => ({ ...listingOf(data), folders: 0, loadMore, isStuck }),
    [data, loadMore, isStuck],
  )
  const first = data?.pages[0]
  const found: Found | null = first ? { count: first.total, isExact: first.total_is_exact } : null
  const state = { isWaiting: isAsked && isWaiting, isArrived: isAsked && isArrived, isStale: isAsked && isStale }
  return { ...rest, ...state, listing, found, isAsked }
}

export function SearchScreen() {
  const params = readSearch(useSearch({ strict: false }))
  // Deferred, so that typing does not wait for the rendering of results.
  const found = useDeferredValue(useFound(params))
  const navigate = useNavigate()
  const filter = (change: SearchFilters & SearchOrder) =>
    void navigate({ to: '/search', search: now => readSearch({ ...now, ...change }), replace: true })
  return <SearchView {...found} params={params} onFilter={filter} />
}
