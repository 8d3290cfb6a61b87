/** The files that wait for approval, as the cache holds them. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { maxPendingShown } from '../../../src/api/limits.ts'
import { countPending, listPendingOwners, readPending } from '../../../src/api/validation.ts'
import { call } from '../server/call.ts'
import { logged } from '../server/log-failure.ts'
import { useMay } from '../server/permissions.ts'
import { queryClient } from '../server/query-client.ts'

/** Milliseconds after which the number in the header, and the queue on its screen, are asked for again. */
const pollInterval = 60_000

/** The ids of files that are being decided on: they have left the queue, whatever an answer still says. */
export const beingDecided = new Set<number>()

/** The oldest first, of one owner by username, or of all for null. */
export const pendingQueryOf = (owner: string | null) =>
  queryOptions({
    queryKey: ['pending', 'files', owner],
    queryFn: async () => {
      const read = readPending(call, maxPendingShown, owner ?? undefined)
      const files = await read.catch(logged('Failed to load the validation queue'))
      return files.filter(({ id }) => !beingDecided.has(id))
    },
    refetchInterval: pollInterval,
  })

/** Has all of it asked for again. */
export const refreshPending = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['pending'] })

/** Whose files wait, and how many of each. */
export const pendingOwnersQuery = queryOptions({
  queryKey: ['pending', 'owners'],
  queryFn: async () => (await call(listPendingOwners, {}).catch(logged('Failed to load whose files wait'))).owners,
  refetchInterval: pollInterval,
})

const pendingCountQuery = queryOptions({
  queryKey: ['pending', 'count'],
  queryFn: async () => (await call(countPending, {}).catch(logged('Failed to count the pending files'))).count,
  refetchInterval: pollInterval,
})

/** `12`, and `5,000+` for as many as are shown at most. */
export function formatPending(count: number): string {
  return `${count.toLocaleString('en-US')}${count >= maxPendingShown ? '+' : ''}`
}

/** How many files wait for a decision of the user; 0 for who may not decide, and while it is not known. */
export function usePendingCount(): number {
  const mayReview = useMay('validation:review')
  const { data } = useQuery({ ...pendingCountQuery, enabled: mayReview })
  return mayReview ? (data ?? 0) : 0
}
