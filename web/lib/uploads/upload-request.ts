/** The request of one upload: XMLHttpRequest, because fetch reports no upload progress. */
import { uploadFile } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { useAuth } from '../server/auth-store.ts'
import { noteStatus } from '../server/call.ts'
import { apiUrl } from '../server/config.ts'
import { LineError } from './line-error.ts'
import { formOf, readItem, type UploadRequest } from './upload-form.ts'

/** Bytes sent at once: smaller uploads have no progress to report. */
const oneGo = 64 * 1024
const unreadable = 'The file cannot be read: it was changed, moved or deleted, or it is a folder'

/** Browsers report a broken connection and an unreadable file alike. Reading the file tells them apart. */
async function whyBroken(file: File): Promise<Error> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return new LineError('Upload failed')
  } catch (cause) {
    return new Error(unreadable, { cause })
  }
}

/** Sends one file. Resolves with the uploaded item; rejects with an error whose message is shown on the row. */
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
      // An answer to a request sent before the user signed in again does not end the new session.
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
