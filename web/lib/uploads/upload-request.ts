/** One upload on the wire: XMLHttpRequest, because fetch reports no progress of what it sends. */
import { ApiError, readAnswer } from '../../../src/api/client.ts'
import { type ConflictRule, uploadFile } from '../../../src/api/files.ts'
import type { FileItem, ItemAnswer } from '../../../src/api/items.ts'
import type { MetadataValue } from '../../../src/api/metadata-values.ts'
import { useAuth } from '../auth-store.ts'
import { noteStatus } from '../call.ts'
import { apiUrl } from '../config.ts'

interface UploadRequest {
  file: File
  /** Null is the root. */
  parentId: number | null
  rule: ConflictRule
  metadata: readonly MetadataValue[]
  /** Told the bytes of the body that have left so far. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** Bytes that leave in one go: of less there is no progress to report. */
const oneGo = 64 * 1024
const unreadable = 'The file cannot be read: it was changed, moved or deleted, or it is a folder'

/** The file's own time, if the server has the digits for it. */
function timeOf({ lastModified }: File): string | null {
  const time = new Date(lastModified)
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time.toISOString() : null
}

/** Every text field stands before the file, so that the server can refuse before it has read the bytes. */
function formOf({ file, parentId, rule, metadata }: UploadRequest): FormData {
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

/** Seconds, from either form of the header; undefined where it says nothing. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = Number.isNaN(Number(header)) ? (Date.parse(header) - Date.now()) / 1000 : Number(header)
  return seconds > 0 ? Math.ceil(seconds) : undefined
}

function readItem(request: XMLHttpRequest): FileItem {
  const { status, responseText: text } = request
  const retryAfter = readRetryAfter(request.getResponseHeader('Retry-After'))
  const { file } = readAnswer<Partial<ItemAnswer> | null>({ status, text, retryAfter }) ?? {}
  if (file === undefined) throw new ApiError(status, 'Invalid response format')
  return file
}

/** The line broke, or there is nobody at its other end. */
export class LineError extends Error {}

/** A browser does not tell a line that broke from a file that it could not read. */
async function whyBroken(file: File): Promise<Error> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return new LineError('Upload failed')
  } catch (cause) {
    return new Error(unreadable, { cause })
  }
}

/** Sends one file; resolves with the item it became, rejects with a sentence to show on its row. */
export function sendUpload(upload: UploadRequest): Promise<FileItem> {
  return new Promise((resolve, reject) => {
    const { user } = useAuth.getState()
    const request = new XMLHttpRequest()
    request.open(uploadFile.method, apiUrl(uploadFile.path))
    request.withCredentials = true
    if (upload.file.size > oneGo) {
      request.upload.onprogress = ({ loaded }) => upload.onProgress(Math.min(loaded, upload.file.size))
    }
    request.onerror = () => void whyBroken(upload.file).then(reject)
    request.onabort = () => reject(new Error('Upload cancelled'))
    request.onload = () => {
      // An answer to what was sent before the user signed in again ends nothing.
      if (useAuth.getState().user === user) noteStatus(request.status)
      try {
        resolve(readItem(request))
      } catch (error) {
        reject(error)
      }
    }
    upload.signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(formOf(upload))
  })
}
