/** The files that wait for approval, as the cache holds them. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { maxPendingShown } from '../../src/api/limits.ts'
import { listPending } from '../../src/api/validation.ts'
import { call } from './call.ts'
import { logged } from './log-failure.ts'
import { useMay } from './permissions.ts'

/** Milliseconds after which the number in the header is asked for again. */
const pollInterval = 60_000

/** The ids of files that are being decided on: they have left the queue, whatever an answer still says. */
export const beingDecided = new Set<number>()

/** The oldest first. */
export const pendingQuery = queryOptions({
  queryKey: ['pending'],
  queryFn: async () => {
    const files = await call(listPending, {}).catch(logged('Failed to load the validation queue'))
    return files.filter(({ id }) => !beingDecided.has(id))
  },
})

/** `12`, and `1,000+` for as many as are shown at most. */
export function formatPending(count: number): string {
  return `${count.toLocaleString('en-US')}${count >= maxPendingShown ? '+' : ''}`
}

/** How many files wait for a decision of the user; 0 for who may not decide, and while it is not known. */
export function usePendingCount(): number {
  const mayReview = useMay('validation:review')
  const { data } = useQuery({
    ...pendingQuery,
    enabled: mayReview,
    refetchInterval: pollInterval,
    select: files => files.length,
  })
  return mayReview ? (data ?? 0) : 0
}
