/** What others share with the user. */
import { queryOptions } from '@tanstack/react-query'
import { maxPageSize } from '../../../src/api/limits.ts'
import { listReceived } from '../../../src/api/shares.ts'
import { call } from '../server/call.ts'

/** The folders that others share with the user, the newest first; at most one page. */
export const sharedFoldersQuery = queryOptions({
  queryKey: ['received', 'folders'],
  queryFn: async () => {
    const { shares } = await call(listReceived, { limit: maxPageSize })
    return shares.map(({ item }) => item).filter(item => item.is_directory)
  },
})
