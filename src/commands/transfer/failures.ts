/** Failures of single items, of which the others know nothing. */

import { AppError, systemCode } from '../../base/errors.ts'
import { toAppError } from '../../db/failures.ts'

/** One item that could not be taken, and why. */
export interface Failure {
  path: string
  error: Error
}

export type Report = (failure: Failure) => void

/** What is wrong with one path alone, on a disk that is well. */
const ownCodes = new Set([
  'EACCES',
  'EEXIST',
  'EILSEQ',
  'EINVAL',
  'EIO',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
])
/** One after which no other item has better luck, whatever its code. */
export class CommonFailure extends AppError {}

/** After these no other item has better luck. */
const commonCodes = new Set(['quota_exceeded', 'storage_full', 'unavailable', 'unauthenticated'])

/** Reports what concerns one item alone; throws all else. */
export function reportOwn(report: Report, path: string, error: unknown): void {
  if (!(error instanceof Error)) throw error
  const isOwn = error instanceof AppError ? !commonCodes.has(error.code) : ownCodes.has(systemCode(error) ?? '')
  if (!isOwn || error instanceof CommonFailure) throw error
  report({ path, error: error instanceof AppError ? error : explain(error) })
}

/** The system's own words, for they name what a person can mend. */
const explain = (error: Error): AppError =>
  systemCode(error) === undefined ? toAppError(error) : new AppError('internal', error.message, { cause: error })
