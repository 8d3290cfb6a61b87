/** What the screens of long lists need to know of a query that comes page by page. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshItems } from '../../lib/data/folders.ts'
import { useLoadMore } from '../../lib/data/use-load-more.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import type { Problem } from '../actions/use-problem.ts'

/** Milliseconds before a list that has not come yet is drawn as grey rows. */
const skeletonDelay = 150

interface Pages {
  /** Whether grey rows stand for what has not come. */
  isWaiting: boolean
  /** Whether what is there is what was asked for, and not what stood there before. */
  isArrived: boolean
  /** Whether what is there stood there before what was asked for. */
  isStale: boolean
  problem: Problem | null
  dismiss: () => void
  /** Asks for everything anew that shows items; resolves once it is there. */
  reload: () => Promise<unknown>
  loadMore: () => void
  /** Whether the next page failed. */
  isStuck: boolean
}

/** `title`: the words for a failure. */
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
