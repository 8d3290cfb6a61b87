/** The team folders of the user. */
import { queryOptions } from '@tanstack/react-query'
import { listSpaces } from '../../../src/api/spaces.ts'
import { call } from '../server/call.ts'

export const spacesQuery = queryOptions({
  queryKey: ['spaces'],
  queryFn: async () => (await call(listSpaces, {})).spaces,
  staleTime: 30_000,
})
