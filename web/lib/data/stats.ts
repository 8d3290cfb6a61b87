/** What the user has, and what of it lies in the trash. */
import { queryOptions } from '@tanstack/react-query'
import type { Profile } from '../../../src/api/auth.ts'
import { type FileStats, getFileStats } from '../../../src/api/search.ts'
import { call } from '../server/call.ts'

export const statsQuery = queryOptions({ queryKey: ['stats'], queryFn: () => call(getFileStats, {}) })

/** Bytes: the statistics count what is live, the quota also what is in the trash. */
export const trashBytes = ({ storage_used }: Pick<Profile, 'storage_used'>, { by_kind }: FileStats): number =>
  Math.max(0, storage_used - by_kind.reduce((sum, { bytes }) => sum + bytes, 0))
