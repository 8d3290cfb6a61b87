/** Changes what the cache holds before the server has made the change. */
import type { DataTag, QueryKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/**
 * Shows a change in this very moment, and stops answers that are under way from undoing it. It is applied twice, so it
 * must come to the same both times; what is not loaded stays so.
 */
export async function showAtOnce<Data>(
  queryKey: DataTag<QueryKey, Data, Error>,
  change: (data: NoInfer<Data>) => NoInfer<Data>,
): Promise<void> {
  const apply = () => queryClient.setQueryData<Data>(queryKey as QueryKey, data => data && change(data))
  apply()
  // Stopping an answer puts back what was there when it was asked for.
  await queryClient.cancelQueries({ queryKey })
  apply()
}

/**
 * Runs acts that were shown at once. `refresh` follows when the last of them has ended: an answer from between two of
 * them would show the later one undone.
 */
export function openActs(refresh: () => Promise<void>): (act: () => Promise<void>) => Promise<void> {
  let underWay = 0
  return async act => {
    underWay += 1
    try {
      await act()
    } finally {
      underWay -= 1
      if (underWay === 0) await refresh()
    }
  }
}
