/** The system's switches, as the cache holds them. */
import { queryOptions } from '@tanstack/react-query'
import { listSettings } from '../../src/api/settings.ts'
import { call } from './call.ts'

export const settingsQuery = queryOptions({ queryKey: ['settings'], queryFn: () => call(listSettings, {}) })
