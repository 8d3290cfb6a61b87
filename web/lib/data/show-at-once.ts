/** Changes what the cache holds before the server has made the change. */
import type { DataTag, QueryKey } from '@tanstack/react-query'
import { queryClient } from '../server/query-client.ts'

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
 * Runs acts that are shown at once, those with the same key one after the other, in the order they were begun. `show` is
 * called when one begins, and when no later one with its key follows: with whether the server made the change, since an
 * answer from meanwhile may have shown it undone. `refresh` follows when none is left, and nobody waits for it.
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
