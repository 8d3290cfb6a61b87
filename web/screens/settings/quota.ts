/** Quotas as forms have them: text, in GB. */
import type { FieldErrors } from '../../../src/api/errors.ts'
import { toGigabytes } from '../../lib/words/gigabytes.ts'

/** Whether a form keeps the quota, because its field is unchanged or blank. */
export const keepsQuota = ({ storage_quota }: { storage_quota: number }, text: string): boolean =>
  text.trim() === '' || text === toGigabytes(storage_quota)

/** What is wrong with the quota of a form: of a new user or folder (null), or a changed one. */
export function quotaErrors(before: { storage_quota: number } | null, text: string): FieldErrors {
  const isKept = before !== null && keepsQuota(before, text)
  return isKept || Number(text) >= 1 ? {} : { storage_quota: 'Give at least 1 GB' }
}
