/** Bringing the pages of a list as they are wanted. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage'>

/** Brings the next page, if there is one. One that failed is not asked for again until somebody retries. */
export function useLoadMore({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Pages): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
}
