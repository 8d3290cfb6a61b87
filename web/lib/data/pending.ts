/** The files that wait for approval, as the cache holds them. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { maxPendingShown } from '../../../src/api/limits.ts'
import { countPending, listPendingOwners, readPending } from '../../../src/api/validation.ts'
import { call } from '../server/call.ts'
import { logged } from '../server/log-failure.ts'
import { useMay } from '../server/permissions.ts'
import { queryClient } from '../server/query-client.ts'

/** Milliseconds between two polls of the number in the header, and of the queue on its screen. */
const pollInterval = 60_000

/** Ids of files being decided on. They have left the queue on screen, even if an older answer lists them. */
export const beingDecided = new Set<number>()

/** The queue, oldest first: of one owner by username, or of all owners for null. */
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

/** Refetches all of it. */
export const refreshPending = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['pending'] })

/** The owners of waiting files, with the number of each. */
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

/** `12`, or `5,000+` from the largest number shown on. */
export function formatPending(count: number): string {
  return `${count.toLocaleString('en-US')}${count >= maxPendingShown ? '+' : ''}`
}

/** How many files wait for the user's decision; 0 for a user who may not decide, and while it is unknown. */
export function usePendingCount(): number {
  const mayReview = useMay('validation:review')
  const { data } = useQuery({ ...pendingCountQuery, enabled: mayReview })
  return mayReview ? (data ?? 0) : 0
}
