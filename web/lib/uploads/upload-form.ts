/** The request of an upload, and its answer. */
import { ApiError, readAnswer, readRetryAfter } from '../../../src/api/client.ts'
import type { ConflictRule } from '../../../src/api/files.ts'
import type { FileItem, ItemAnswer } from '../../../src/api/items.ts'
import type { MetadataValue } from '../../../src/api/metadata-values.ts'

export interface UploadRequest {
  file: File
  /** Null is the root. */
  parentId: number | null
  rule: ConflictRule
  metadata: readonly MetadataValue[]
  /** Called with the number of body bytes sent so far. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** The file's own modification time, if the API's four-digit years can express it. */
export function timeOf({ lastModified }: File): string | null {
  const time = new Date(lastModified)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time.toISOString() : null
}

/** Text fields come before the file, so that the server can refuse the upload before it reads the bytes. */
export function formOf({ file, parentId, rule, metadata }: UploadRequest): FormData {
  const form = new FormData()
  form.append('parent_id', parentId === null ? '' : String(parentId))
  form.append('name', file.name)
  form.append('on_conflict', rule)
  const time = timeOf(file)
  if (time !== null) form.append('modified_at', time)
  if (metadata.length > 0) form.append('metadata', JSON.stringify(metadata))
  // The server uses the field `name`. A part's filename is escaped, and parsers read the escapes differently.
  form.append('file', file, 'file')
  return form
}

/** The uploaded item from an answer. Throws `ApiError` when there is none. */
export function readItem(status: number, text: string, retryAfter: string | null): FileItem {
  const answer = readAnswer<Partial<ItemAnswer> | null>({ status, text, retryAfter: readRetryAfter(retryAfter) })
  if (answer?.file === undefined) throw new ApiError(status, 'Invalid response format')
  return answer.file
}
