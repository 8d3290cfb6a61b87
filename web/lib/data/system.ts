/** System information, for users who may see it. */
import { queryOptions } from '@tanstack/react-query'
import { getSystem } from '../../../src/api/system.ts'
import { call } from '../server/call.ts'

export const systemQuery = queryOptions({ queryKey: ['system'], queryFn: () => call(getSystem, {}) })
