/** The system's settings, in the cache. */
import { queryOptions } from '@tanstack/react-query'
import { listSettings } from '../../../src/api/settings.ts'
import { call } from '../server/call.ts'
import { logged } from '../server/log-failure.ts'

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => call(listSettings, {}).catch(logged('Failed to load settings')),
})
