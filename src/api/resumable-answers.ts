/** What the requests of resumable uploads are, and what their answers say. */
import { ApiError, type ApiResponse } from './client.ts'
import type { StoredFile } from './resumable-doors.ts'

export interface PieceRequest {
  method: string
  /** Relative to the API base. */
  path: string
  headers: Readonly<Record<string, string>>
  /** The bytes of the file that are the body, from the first up to, but without, the second; null for no body. */
  range: readonly [from: number, to: number] | null
}

export interface PieceAnswer extends ApiResponse {
  header(name: string): string | null
}

/** What a proxy answers for a body that is too large for it, or that took too long. */
const sizeStatuses = [413, 502, 504]
/** What a server or a proxy without these calls answers. */
const unknownStatuses = [404, 405, 501]

/** Whether filestore itself gave the answer, and no proxy. */
export const isOurs = (answer: PieceAnswer): boolean => answer.header('Tus-Resumable') !== null

/** Whether a smaller piece may come through. */
export const isTooLarge = (answer: PieceAnswer): boolean => !isOurs(answer) && sizeStatuses.includes(answer.status)

/** Whether the answer comes from something without these calls. */
export const isUnknownCall = (answer: PieceAnswer): boolean =>
  !isOurs(answer) && unknownStatuses.includes(answer.status)

/** The error of an answer that no honest server gives. */
export const wrong = ({ status }: Pick<PieceAnswer, 'status'>, message: string): ApiError =>
  new ApiError(status, message, { hasSentence: false })

export const hasCode = (error: unknown, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code

/** Throws `ApiError` if the answer does not say it, or says more than `most`, the bytes that can be there. */
export function readOffset(answer: PieceAnswer, most: number): number {
  const text = answer.header('Upload-Offset') ?? ''
  if (/^\d+$/.test(text) && Number(text) <= most) return Number(text)
  throw wrong(answer, 'Invalid response format')
}

/** Throws `ApiError` if the file that was made is not the one that was sent. Its hash is known after a broken upload. */
export function checkStored<Made extends StoredFile>(made: Made, size: number, sha256: string | undefined): Made {
  const isOther = typeof made.sha256 === 'string' && sha256 !== undefined && made.sha256 !== sha256
  if (made.size === size && !isOther) return made
  throw wrong({ status: 200 }, 'The server has stored something else than was sent')
}
