/** The events of an item, newest first, a few at a time. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { listFileEvents } from '../../../src/api/files.ts'
import { call } from '../../lib/server/call.ts'

const eventsAtOnce = 8

export const activityQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['item', id, 'events'],
    queryFn: ({ pageParam }) => call(listFileEvents, { id, limit: eventsAtOnce, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
  })
