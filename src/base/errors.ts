/** Errors that a caller may see: a code of the API and a sentence for people. */
import { type ErrorCode, errorStatus, type FieldErrors } from '../api/errors.ts'

interface AppErrorOptions {
  fields?: FieldErrors
  cause?: unknown
  /** Seconds after which another try makes sense; becomes Retry-After. */
  retryAfter?: number
}

/** Thrown anywhere below HTTP; `http/errors.ts` turns it into the response. */
export class AppError extends Error {
  readonly fields: FieldErrors | undefined
  readonly retryAfter: number | undefined

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.fields = options.fields
    this.retryAfter = options.retryAfter
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

/** Whether a request was refused, and nothing has failed: then the reason is enough for the log. */
export const isRefusal = ({ code, cause }: AppError): boolean => cause === undefined && code !== 'internal'

/** 400 for one input field; the sentence is also the response's message. */
export const invalidField = (field: string, message: string): AppError =>
  new AppError('invalid_input', message, { fields: { [field]: message } })

/** 404 for an item that is unknown, another user's, or trashed; the response does not reveal which. */
export const notFound = (noun: string): AppError => new AppError('not_found', `${noun} not found`)

/** 401 for a request whose user was deleted while it ran. */
export const accountGone = (): AppError => new AppError('unauthenticated', 'This account is gone')

/** 409 for a name that is taken, reported on the field that contained it. */
export const nameTaken = (name: string, field = 'name'): AppError => {
  const message = `'${name}' is already taken`
  return new AppError('name_taken', message, { fields: { [field]: message } })
}

/** The error that ends work for a disconnected client; nobody reads it. */
export const clientHasGone = (): AppError => new AppError('rate_limited', 'The client has gone', { retryAfter: 1 })

/** 408 for a body that stalls, or that a stranger sends too slowly. */
export const bodyIsLate = (): AppError =>
  new AppError('request_timeout', 'The body of the request took too long to arrive', { retryAfter: 1 })

/** 507: a disk is full, or its free space is below the reserve. */
export const storageFull = (cause?: unknown): AppError =>
  new AppError('storage_full', 'The server has no space left', { cause })

/** The code of a system error (`ENOENT`, `ENOSPC`), or undefined for anything else. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Whether a file system has no hard links, such as FAT, or does not let this user create one. */
export const isLinkRefusal = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(systemCode(error) ?? '')
