/** How many things were shared with the user since they last looked. */
import { queryOptions } from '@tanstack/react-query'
import { listReceived } from '../../../src/api/shares.ts'
import { call } from '../server/call.ts'
import { logged } from '../server/log-failure.ts'

/** From this many on, the number shown ends in `+`. */
export const maxNewShown = 10

/** Milliseconds between two looks. */
const pollInterval = 60_000

/** The newest shares come first, so the first few tell. */
export const newSharesQuery = queryOptions({
  queryKey: ['shares', 'new'],
  queryFn: async () => {
    const { shares } = await call(listReceived, { limit: maxNewShown }).catch(logged('Failed to count new shares'))
    return shares.filter(({ is_new }) => is_new).length
  },
  refetchInterval: pollInterval,
})
