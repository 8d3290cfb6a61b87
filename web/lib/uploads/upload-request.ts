/** The requests of uploads: XMLHttpRequest, because fetch reports no upload progress. */
import { uploadFile } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
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

const whyBroken = async (file: File): Promise<Error> => (await findUnreadable(file)) ?? new LineError('Upload failed')

interface Sending<Answer> {
  endpoint: { method: string; path: string }
  form: FormData
  signal: AbortSignal
  /** Adds listeners before the request is sent. */
  watch: (upload: XMLHttpRequestUpload) => void
  whyBroken: () => Promise<Error>
  /** Reads an answer; throws for a refusal. */
  read: (status: number, text: string, retryAfter: string | null) => Answer
}

function sendForm<Answer>({ endpoint, form, signal, watch, whyBroken, read }: Sending<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { user } = useAuth.getState()
    const request = new XMLHttpRequest()
    request.open(endpoint.method, apiUrl(endpoint.path))
    request.withCredentials = true
    watch(request.upload)
    request.onerror = () => void whyBroken().then(reject)
    request.onabort = () => reject(new Error('Upload cancelled'))
    request.onload = () => {
      // An answer to a request sent before the user signed in again does not end the new session.
      if (useAuth.getState().user === user) noteStatus(request.status)
      try {
        resolve(read(request.status, request.responseText, request.getResponseHeader('Retry-After')))
      } catch (error) {
        reject(error)
      }
    }
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}

/** Sends one file. Resolves with the uploaded item; rejects with an error whose message is shown on the row. */
export const sendUpload = (upload: UploadRequest): Promise<FileItem> =>
  sendForm({
    endpoint: uploadFile,
    form: formOf(upload),
    signal: upload.signal,
    watch: progress => {
      if (upload.file.size <= oneGo) return
      progress.onprogress = ({ loaded }) => upload.onProgress(Math.min(loaded, upload.file.size))
    },
    whyBroken: () => whyBroken(upload.file),
    read: readItem,
  })

/** Sends several files. A file that cannot be read breaks the request like the connection does. */
export const sendUploads = (uploads: UploadManyRequest): Promise<readonly UploadResult[]> =>
  sendForm({
    endpoint: uploadMany,
    form: formOfMany(uploads),
    signal: uploads.signal,
    watch: progress => {
      progress.onprogress = ({ loaded, total }) => uploads.onProgress(loaded / Math.max(1, total))
      progress.onload = uploads.onSent
    },
    whyBroken: async () => new LineError('Upload failed'),
    read: readResults,
  })
