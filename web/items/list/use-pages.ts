/** The state of a paged query, for the screens of long lists. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshItems } from '../../lib/data/folders.ts'
import { useLoadMore } from '../../lib/data/use-load-more.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import type { Problem } from '../actions/use-problem.ts'

/** Milliseconds before placeholders appear for a list that is still loading. */
const skeletonDelay = 150

interface Pages {
  /** Whether to show placeholders for what is still loading. */
  isWaiting: boolean
  /** Whether the data is the requested one, and not the previous. */
  isArrived: boolean
  /** Whether the data is still the previous one. */
  isStale: boolean
  problem: Problem | null
  dismiss: () => void
  /** Refetches everything that shows items; resolves when it is done. */
  reload: () => Promise<unknown>
  loadMore: () => void
  /** Whether loading the next page failed. */
  isStuck: boolean
}

/** `title` is the title of an error. */
export function usePages<Page>(query: UseInfiniteQueryResult<InfiniteData<Page>>, title: string): Pages {
  const [dismissed, setDismissed] = useState(0)
  const { data, error, errorUpdateCount, isFetching, isFetchNextPageError, fetchNextPage } = query
  return {
    isWaiting: useDelayed(query.isPending || query.isPlaceholderData, skeletonDelay),
    isArrived: data !== undefined && !query.isPlaceholderData,
    isStale: query.isPlaceholderData,
    problem: error && errorUpdateCount > dismissed ? { title, reason: reasonOf(error) } : null,
    dismiss: () => setDismissed(errorUpdateCount),
    reload: () => (isFetchNextPageError ? fetchNextPage() : refreshItems()),
    loadMore: useLoadMore(query),
    isStuck: isFetchNextPageError && !isFetching,
  }
}
