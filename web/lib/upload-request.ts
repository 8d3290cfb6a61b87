/** One upload on the wire: XMLHttpRequest, because fetch reports no progress of what it sends. */
import { readAnswer } from '../../src/api/client.ts'
import { uploadFile } from '../../src/api/files.ts'
import type { FileItem, ItemAnswer } from '../../src/api/items.ts'
import { noteStatus } from './call.ts'
import { apiUrl } from './config.ts'

interface UploadRequest {
  file: File
  /** Null is the root. */
  parentId: number | null
  /** Told the bytes of the body that have left so far. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/** Every text field stands before the file, so that the server can refuse before it has read the bytes. */
function formOf({ file, parentId }: UploadRequest): FormData {
  const form = new FormData()
  form.append('parent_id', parentId === null ? '' : String(parentId))
  form.append('name', file.name)
  form.append('on_conflict', 'rename')
  form.append('modified_at', new Date(file.lastModified).toISOString())
  // The field `name` is the one that counts; a part's file name has escapes of its own, which parsers read differently.
  form.append('file', file, 'file')
  return form
}

/** Sends one file; resolves with the item it became, rejects with a sentence to show on its row. */
export function sendUpload(upload: UploadRequest): Promise<FileItem> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(uploadFile.method, apiUrl(uploadFile.path))
    request.withCredentials = true
    request.upload.onprogress = ({ loaded }) => upload.onProgress(Math.min(loaded, upload.file.size))
    request.onerror = () => reject(new Error('Upload failed'))
    request.onabort = () => reject(new Error('Upload cancelled'))
    request.onload = () => {
      noteStatus(request.status)
      try {
        resolve(readAnswer<ItemAnswer>({ status: request.status, text: request.responseText }).file)
      } catch (error) {
        reject(error)
      }
    }
    upload.signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(formOf(upload))
  })
}
