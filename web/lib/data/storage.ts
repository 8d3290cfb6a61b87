/** How much of the quota is used, refreshed together with the items on screen. */
import { queryOptions } from '@tanstack/react-query'
import { getProfile, type Profile } from '../../../src/api/auth.ts'
import { storageExceededPercent, storageWarningPercent } from '../../../src/api/limits.ts'
import { renewUser } from '../server/auth-store.ts'
import { call } from '../server/call.ts'

export type StorageLevel = 'warning' | 'danger'

interface StorageUsage {
  /** Of the quota; over 100 after the quota was lowered. A quota of 0 counts as full. */
  percent: number
  /** The same as people read it: `83%`, `<1%`. */
  percentText: string
  /** Bytes; never less than 0. */
  available: number
  /** Null while there is enough space. */
  level: StorageLevel | null
}

function levelOf(percent: number): StorageLevel | null {
  if (percent >= storageExceededPercent) return 'danger'
  return percent > storageWarningPercent ? 'warning' : null
}

/** Rounded down, so that 100% always means full. */
const textOf = (percent: number): string => (percent > 0 && percent < 1 ? '<1%' : `${Math.floor(percent)}%`)

export function usageOf({
  storage_used,
  storage_quota,
}: Pick<Profile, 'storage_used' | 'storage_quota'>): StorageUsage {
  const percent = storage_quota === 0 ? 100 : (storage_used / storage_quota) * 100
  return {
    percent,
    percentText: textOf(percent),
    available: Math.max(0, storage_quota - storage_used),
    level: levelOf(percent),
  }
}

/** Refetches the user's own profile whenever items change, and updates the signed-in user's figures from it. */
export const profileQuery = queryOptions({
  queryKey: ['stats', 'profile'],
  queryFn: async () => {
    const profile = await call(getProfile, {})
    renewUser(profile)
    return profile
  },
})
