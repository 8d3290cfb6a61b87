/** What the user stores, and how much of it is in the trash. */
import { queryOptions } from '@tanstack/react-query'
import type { Profile } from '../../../src/api/auth.ts'
import { type FileStats, getFileStats } from '../../../src/api/search.ts'
import { call } from '../server/call.ts'

export const statsQuery = queryOptions({ queryKey: ['stats'], queryFn: () => call(getFileStats, {}) })

/** Bytes in the trash: the statistics count only live items, the quota counts the trash as well. */
export const trashBytes = ({ storage_used }: Pick<Profile, 'storage_used'>, { by_kind }: FileStats): number =>
  Math.max(0, storage_used - by_kind.reduce((sum, { bytes }) => sum + bytes, 0))
