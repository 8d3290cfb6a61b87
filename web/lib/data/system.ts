/** What the server says of itself to those who may ask. */
import { queryOptions } from '@tanstack/react-query'
import { getSystem } from '../../../src/api/system.ts'
import { call } from '../server/call.ts'

export const systemQuery = queryOptions({ queryKey: ['system'], queryFn: () => call(getSystem, {}) })
