/** What the failure of one upload means, for itself and for those that wait. */
import { ApiError } from '../../../src/api/client.ts'
import { notHere } from '../../../src/api/refusals.ts'
import { refusalOf, type UploadResult } from '../../../src/api/upload-many.ts'
import { messageOf } from '../server/message-of.ts'
import type { Upload } from './upload.ts'

/** A parent folder could not be created. The cause alone does not say what that means for other uploads. */
export class FolderError extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause, 'Failed to create folder'), { cause })
    this.name = 'FolderError'
  }
}

const causeOf = (error: unknown): unknown => (error instanceof FolderError ? error.cause : error)

/** What a proxy answers when it cannot reach the server. */
const proxyStatuses = [502, 503, 504]

/** Whether a proxy answered because it could not reach the server, or got no answer from it. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof ApiError && proxyStatuses.includes(error.status) && !error.hasSentence

/** Whether creating a folder failed because nobody answered. Retrying is safe: it does not create the folder twice. */
export function isFolderUnanswered(error: unknown): boolean {
  if (!(error instanceof FolderError)) return false
  const { cause } = error
  return cause instanceof TypeError || isUnreached(cause)
}

/** Whether an upload in pieces, which takes nothing twice, got no answer. */
export const isPieceUnanswered = (error: unknown): boolean => error instanceof TypeError || isUnreached(error)

/** The sentence for the row. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : 'Upload failed')

/** Seconds to wait before the next request, as the server asks; undefined when it does not. */
export function waitOf(error: unknown): number | undefined {
  const cause = causeOf(error)
  if (!(cause instanceof ApiError)) return undefined
  const seconds = cause.retryAfter ?? (cause.status === 429 ? 1 : undefined)
  if (seconds === undefined || ![423, 429, 503].includes(cause.status)) return undefined
  // A server that says 0 would be asked without a pause.
  return Math.max(1, seconds)
}

/** Whether the session has expired: the upload can go on after the user signs in again. */
export function isSignedOut(error: unknown): boolean {
  const cause = causeOf(error)
  return cause instanceof ApiError && cause.status === 401
}

/** Whether the name is taken in the folder. */
export const isNameTaken = (error: unknown): boolean => error instanceof ApiError && error.code === 'name_taken'

/** Whether the storage that the file goes into has too little room. */
export const isOverQuota = (error: unknown): boolean => error instanceof ApiError && error.code === 'quota_exceeded'

/** Whether the folder that it goes into is gone, or no longer open to the user. Other refusals hold in all folders. */
export function isFolderLost(error: unknown): boolean {
  const cause = causeOf(error)
  if (cause instanceof ApiError && cause.code === 'not_found') return true
  return error instanceof ApiError && error.code === 'forbidden' && error.message === notHere
}

/** Form fields that are not metadata fields. */
const ownFields = ['parent_id', 'name', 'path', 'on_conflict', 'modified_at', 'sha256', 'file']

/** The error of a refused file of several. One about the path to it is about its folder. */
export function errorOf(result: UploadResult & { ok: false }): Error {
  const refusal = refusalOf(result)
  return Object.keys(refusal.fields).some(name => name.split('.')[0] === 'path') ? new FolderError(refusal) : refusal
}

/** Whether a request was refused before anything of it was stored. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500

/** Whether not the server refused a request, but a proxy in front of it. */
export const isByProxy = (error: unknown): boolean => isRefused(error) && (error as ApiError).code === undefined

/** The server's errors about the metadata, by field name; null when the error is about something else. */
export function metadataProblems(error: unknown): Readonly<Record<string, string>> | null {
  if (!(error instanceof ApiError) || error.code !== 'invalid_input') return null
  const problems = Object.entries(error.fields).filter(([name]) => !ownFields.includes(name))
  return problems.length === 0 ? null : Object.fromEntries(problems)
}

/** Selects the waiting uploads that would fail for the same reason, so that they need not be tried. */
export function sharesFate(error: unknown, failed: Upload): (other: Upload) => boolean {
  if (!(error instanceof ApiError)) return () => false
  switch (error.code) {
    case 'quota_exceeded':
      // Files added elsewhere may go into another space, with its own quota and rights.
      return other => other.batch === failed.batch && other.size >= failed.size
    case 'forbidden':
      return other => other.batch === failed.batch
    case 'storage_full':
    case 'password_change_required':
      return () => true
    case 'not_found':
      return other => other.target === failed.target
    default:
      return () => false
  }
}
