/** The one cache of server data. */
import { QueryClient } from '@tanstack/react-query'

/**
 * A failed read shows its Retry button at once; silent retries would only delay that. The browser's offline state is
 * ignored, because the server may run on this machine.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 2_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
