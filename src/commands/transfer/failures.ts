/** Tells failures of single items from failures that concern all items. */

import { InTransit } from '../../access/transit.ts'
import { AppError, systemCode } from '../../base/errors.ts'
import { toAppError } from '../../db/failures.ts'

/** One item that could not be transferred, and why. */
export interface Failure {
  path: string
  error: Error
}

export type Report = (failure: Failure) => void

/** Error codes of the system that concern one path only, on a healthy disk. */
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
/** A failure that every other item would have too, whatever its code. */
export class CommonFailure extends AppError {}

/** Codes of failures that every other item would have too. */
const commonCodes = new Set(['quota_exceeded', 'storage_full', 'unavailable', 'unauthenticated'])

/** Reports a failure that concerns one item only. Throws every other error. */
export function reportOwn(report: Report, path: string, error: unknown): void {
  if (!(error instanceof Error)) throw error
  const isOwn = error instanceof AppError ? !commonCodes.has(error.code) : ownCodes.has(systemCode(error) ?? '')
  if ((!isOwn && !(error instanceof InTransit)) || error instanceof CommonFailure) throw error
  report({ path, error: error instanceof AppError ? error : explain(error) })
}

/** Keeps the system's own message, because it names what a person can fix. */
const explain = (error: Error): AppError =>
  systemCode(error) === undefined ? toAppError(error) : new AppError('internal', error.message, { cause: error })
