/** One upload on the wire: XMLHttpRequest, because fetch reports no progress of what it sends. */
import { uploadFile } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { useAuth } from '../server/auth-store.ts'
import { noteStatus } from '../server/call.ts'
import { apiUrl } from '../server/config.ts'
import { LineError } from './line-error.ts'
import { formOf, readItem, type UploadRequest } from './upload-form.ts'

/** Bytes that leave in one go: of less there is no progress to report. */
const oneGo = 64 * 1024
const unreadable = 'The file cannot be read: it was changed, moved or deleted, or it is a folder'

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
        resolve(readItem(request.status, request.responseText, request.getResponseHeader('Retry-After')))
      } catch (error) {
        reject(error)
      }
    }
    upload.signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(formOf(upload))
  })
}
