/** Optimistic updates: changes the cache before the server has made the change. */
import type { DataTag, QueryKey } from '@tanstack/react-query'
import { queryClient } from '../server/query-client.ts'

/**
 * Shows a change immediately, and keeps running requests from undoing it. `change` runs twice, so it must give the same
 * result both times. Data that is not loaded stays unloaded.
 */
export async function showAtOnce<Data>(
  queryKey: DataTag<QueryKey, Data, Error>,
  change: (data: NoInfer<Data>) => NoInfer<Data>,
): Promise<void> {
  const apply = () => queryClient.setQueryData<Data>(queryKey as QueryKey, data => data && change(data))
  apply()
  // Cancelling a request restores the data from before that request, so apply the change again.
  await queryClient.cancelQueries({ queryKey })
  apply()
}

/**
 * Runs optimistic changes; those with the same key one after the other, in the order they began. `show(true)` runs when
 * a change begins. When no later change with its key follows, `show` runs again with whether the server made the
 * change, since a refetch in between may have hidden it. `refresh` runs once none is left; nobody waits for it.
 */
export function openActs<Key>(refresh: () => Promise<void>) {
  const latest = new Map<Key, Promise<unknown>>()
  /** Throws what `send` throws. */
  return async (key: Key, show: (isMade: boolean) => Promise<void>, send: () => Promise<unknown>): Promise<void> => {
    const before = latest.get(key)
    const sending = show(true)
      .then(() => before?.catch(() => undefined))
      .then(send)
    latest.set(key, sending)
    const isMade = await sending.then(
      () => true,
      () => false,
    )
    if (latest.get(key) === sending) {
      latest.delete(key)
      await show(isMade)
    }
    if (latest.size === 0) void refresh()
    await sending
  }
}
