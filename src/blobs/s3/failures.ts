/** What failed requests to an object store mean: for the caller, and for another try. */
import { AppError, storageFull } from '../../base/errors.ts'
import { type Element, parseXml, textOf } from './xml.ts'

/** An answer that is no success. */
export class S3Refusal extends Error {
  constructor(
    readonly status: number,
    /** Such as `NoSuchKey`; empty if the answer names none. */
    readonly code: string,
    message: string,
  ) {
    super(message)
    this.name = 'S3Refusal'
  }
}

/** Turns an answer's status and XML into a refusal. */
export function readRefusal(status: number, body: string): S3Refusal {
  try {
    const xml = parseXml(body)
    const code = textOf(xml, 'Code') ?? ''
    return new S3Refusal(status, code, `the object store answered ${status} ${code}: ${textOf(xml, 'Message') ?? ''}`)
  } catch {
    return new S3Refusal(status, '', `the object store answered ${status}`)
  }
}

const busyCodes = ['SlowDown', 'RequestTimeout', 'InternalError', 'ServiceUnavailable', 'OperationAborted']
const fullCodes = ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientCapacity']

/**
 * Whether another try may succeed: the store was busy, or nobody answered. A 404 that names no code is that of a proxy
 * which does not know the store at present.
 */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof S3Refusal) ||
  (error.status === 404 && error.code === '') ||
  (error.status >= 500 && error.status !== 501 && !isFull(error)) ||
  error.status === 429 ||
  busyCodes.includes(error.code)

const isFull = ({ status, code }: S3Refusal): boolean => status === 507 || fullCodes.includes(code)

const missingCodes = ['NoSuchKey', 'NoSuchUpload']

/** Whether the store itself says that it has no such bytes. A missing bucket is a fault of the whole store. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3Refusal && error.status === 404 && missingCodes.includes(error.code)

/** The error of a key without bytes, as of a file that is not there. */
export const noBytes = (cause?: unknown): Error =>
  Object.assign(new Error('the blob is not there, or shorter than it was', { cause }), { code: 'ENOENT' })

/** Seconds after which clients may try again. */
const retryAfter = 5

/** The error for the caller, after all tries. */
export function explain(error: unknown): unknown {
  if (isMissing(error)) return noBytes(error)
  if (error instanceof S3Refusal && isFull(error)) return storageFull(error)
  return new AppError('unavailable', 'The storage cannot be reached', { cause: error, retryAfter })
}

/** Reads the XML of a success. Throws `unavailable` for anything else: a proxy may answer with a page of its own. */
export function readAnswer(text: string): Element {
  try {
    return parseXml(text)
  } catch (error) {
    throw explain(error)
  }
}

/** Throws `unavailable` unless an answer has what every such answer of a store has. */
export function required(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw explain(new Error(`the object store answered without ${what}`))
}
