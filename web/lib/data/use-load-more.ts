/** Loads the pages of a list on demand. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'

type Pages = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage'>

/** Loads the next page, if there is one. After a failure it does not try again until the user retries. */
export function useLoadMore({ hasNextPage, isFetching, isFetchNextPageError, fetchNextPage }: Pages): () => void {
  return useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
}
