/** The requests of uploads: XMLHttpRequest, because fetch reports no upload progress. */

import { readRetryAfter } from '../../../src/api/client.ts'
import { uploadFile } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import type { PieceAnswer, PieceRequest } from '../../../src/api/resumable-answers.ts'
import { type UploadResult, uploadMany } from '../../../src/api/upload-many.ts'
import { useAuth } from '../server/auth-store.ts'
import { noteStatus } from '../server/call.ts'
import { apiUrl } from '../server/config.ts'
import { LineError } from './line-error.ts'
import { findUnreadable } from './unreadable.ts'
import { formOf, readItem, type UploadRequest } from './upload-form.ts'
import { formOfMany, readResults, type UploadManyRequest } from './upload-many-form.ts'

/** Bytes sent at once: smaller uploads have no progress to report. */
const oneGo = 64 * 1024

/** HTTP's status for a request that took too long to arrive. */
const timedOut = 408

const whyBroken = async (file: File): Promise<Error> => (await findUnreadable(file)) ?? new LineError('Upload failed')

interface Sending {
  method: string
  /** Relative to the API base. */
  path: string
  headers?: Readonly<Record<string, string>>
  body: FormData | Blob | null
  signal: AbortSignal
  /** Adds listeners before the request is sent. */
  watch: (upload: XMLHttpRequestUpload) => void
  whyBroken: () => Promise<Error>
}

/** Sends a request. Resolves once it is answered. */
function send({ method, path, headers = {}, body, signal, watch, whyBroken }: Sending): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const { user } = useAuth.getState()
    const request = new XMLHttpRequest()
    request.open(method, apiUrl(path))
    request.withCredentials = true
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    watch(request.upload)
    request.onerror = () => void whyBroken().then(reject)
    request.onabort = () => reject(new Error('Upload cancelled'))
    request.onload = () => {
      // The server, or a proxy, waited too long for the body.
      if (request.status === timedOut) return void whyBroken().then(reject)
      // An answer to a request sent before the user signed in again does not end the new session.
      if (useAuth.getState().user === user) noteStatus(request.status)
      resolve(request)
    }
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

/** Sends one request of an upload in pieces. Rejects as `sendUpload`, but with no refusal. */
export async function sendPiece(
  file: File,
  { method, path, headers, range }: PieceRequest,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<PieceAnswer> {
  const request = await send({
    ...{ method, path, headers, signal },
    body: range === null ? null : file.slice(...range),
    watch: progress => {
      if (range !== null) progress.onprogress = ({ loaded }) => onSent(loaded)
    },
    whyBroken: () => whyBroken(file),
  })
  const header = (name: string) => request.getResponseHeader(name)
  const retryAfter = readRetryAfter(header('Retry-After'))
  return { status: request.status, text: request.responseText, retryAfter, header }
}

/** Sends one file. Resolves with the uploaded item; rejects with an error whose message is shown on the row. */
export async function sendUpload(upload: UploadRequest): Promise<FileItem> {
  const request = await send({
    method: uploadFile.method,
    path: uploadFile.path,
    body: formOf(upload),
    signal: upload.signal,
    watch: progress => {
      if (upload.file.size <= oneGo) return
      progress.onprogress = ({ loaded }) => upload.onProgress(Math.min(loaded, upload.file.size))
    },
    whyBroken: () => whyBroken(upload.file),
  })
  return readItem(request.status, request.responseText, request.getResponseHeader('Retry-After'))
}

/** Sends several files. A file that cannot be read breaks the request like the connection does. */
export async function sendUploads(uploads: UploadManyRequest): Promise<readonly UploadResult[]> {
  const request = await send({
    method: uploadMany.method,
    path: uploadMany.path,
    body: formOfMany(uploads),
    signal: uploads.signal,
    watch: progress => {
      progress.onprogress = ({ loaded, total }) => uploads.onProgress(loaded / Math.max(1, total))
      progress.onload = uploads.onSent
    },
    whyBroken: async () => new LineError('Upload failed'),
  })
  return readResults(request.status, request.responseText, request.getResponseHeader('Retry-After'))
}
