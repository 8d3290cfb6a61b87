/** The one cache of what the server said. */
import { QueryClient } from '@tanstack/react-query'

/**
 * Failed reads are shown with a Retry button at once; silent retries would only delay that. What the browser thinks of
 * its network counts for nothing: the server may be on this very machine.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 2_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
