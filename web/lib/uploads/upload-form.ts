/** What an upload sends, and what its answer says. */
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
  /** Told the bytes of the body that have left so far. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** The file's own time, if the server has the digits for it. */
function timeOf({ lastModified }: File): string | null {
  const time = new Date(lastModified)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time.toISOString() : null
}

/** Every text field stands before the file, so that the server can refuse before it has read the bytes. */
export function formOf({ file, parentId, rule, metadata }: UploadRequest): FormData {
  const form = new FormData()
  form.append('parent_id', parentId === null ? '' : String(parentId))
  form.append('name', file.name)
  form.append('on_conflict', rule)
  const time = timeOf(file)
  if (time !== null) form.append('modified_at', time)
  if (metadata.length > 0) form.append('metadata', JSON.stringify(metadata))
  // The field `name` is the one that counts; a part's file name has escapes of its own, which parsers read differently.
  form.append('file', file, 'file')
  return form
}

/** The item that an answer brings. Throws `ApiError` where it brings none. */
export function readItem(status: number, text: string, retryAfter: string | null): FileItem {
  const answer = readAnswer<Partial<ItemAnswer> | null>({ status, text, retryAfter: readRetryAfter(retryAfter) })
  if (answer?.file === undefined) throw new ApiError(status, 'Invalid response format')
  return answer.file
}
