/** What stands in the trash, page by page. */
import { infiniteQueryOptions } from '@tanstack/react-query'
import { listTrash } from '../../src/api/files.ts'
import { maxPageSize } from '../../src/api/limits.ts'
import { call } from './call.ts'

export const trashQuery = infiniteQueryOptions({
  queryKey: ['trash'],
  queryFn: ({ pageParam }) => call(listTrash, { limit: maxPageSize, cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.next_cursor ?? undefined,
})
