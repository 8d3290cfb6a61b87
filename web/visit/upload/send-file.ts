/** The request of one file: XMLHttpRequest, because fetch reports no upload progress. */
import { readAnswer, readRetryAfter, requestOf } from '../../../src/api/client.ts'
import type { MetadataValue } from '../../../src/api/metadata-values.ts'
import { uploadToLink } from '../../../src/api/visits.ts'
import { apiUrl } from '../../lib/server/config.ts'
import { isUnreached, waitOf } from '../../lib/uploads/failures.ts'
import { findUnreadable } from '../../lib/uploads/unreadable.ts'
import { timeOf } from '../../lib/uploads/upload-form.ts'
import { token } from '../link-calls.ts'

/** What is sent along with each file. */
export interface Accompaniment {
  /** Null where the link does not ask for it. */
  sender: string | null
  metadata: readonly MetadataValue[]
}

/** The connection broke, or a proxy could not reach the server. */
export class LineBreak extends Error {
  /** `isSent` tells whether the whole file was sent, so that it may have arrived. */
  constructor(readonly isSent: boolean) {
    super('The connection broke')
  }
}

/** Text fields come before the file, so that the server can refuse the upload before it reads the bytes. */
function formOf(file: File, { sender, metadata }: Accompaniment): FormData {
  const form = new FormData()
  form.append('name', file.name)
  if (sender !== null) form.append('sender', sender)
  const time = timeOf(file)
  if (time !== null) form.append('modified_at', time)
  if (metadata.length > 0) form.append('metadata', JSON.stringify(metadata))
  // The server uses the field `name`. A part's filename is escaped, and parsers read the escapes differently.
  form.append('file', file, 'file')
  return form
}

/** ms without a byte sent after which a connection counts as broken: one that just hangs reports no error for long. */
const longestStall = 60_000

/** Rejects with an error whose message is shown beside the file; `LineBreak` if it can be sent again by itself. */
export function sendFile(file: File, along: Accompaniment, onProgress: (sent: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const { method, url } = requestOf(uploadToLink, { token })
    const request = new XMLHttpRequest()
    request.open(method, apiUrl(url))
    let stall: ReturnType<typeof setTimeout> | undefined
    const watch = () => {
      clearTimeout(stall)
      stall = setTimeout(() => request.abort(), longestStall)
    }
    request.upload.onloadstart = watch
    request.upload.onprogress = ({ loaded }) => {
      watch()
      onProgress(Math.min(loaded, file.size))
    }
    let isSent = false
    request.upload.onload = () => {
      isSent = true
    }
    // The answer may take longer.
    request.upload.onloadend = () => clearTimeout(stall)
    request.onabort = () => reject(new LineBreak(false))
    const reportBreak = async () => reject((await findUnreadable(file)) ?? new LineBreak(isSent))
    request.onerror = () => void reportBreak()
    request.onload = () => {
      const retryAfter = readRetryAfter(request.getResponseHeader('Retry-After'))
      try {
        readAnswer({ status: request.status, text: request.responseText, retryAfter })
        resolve()
      } catch (error) {
        reject(isUnreached(error) && waitOf(error) === undefined ? new LineBreak(isSent) : error)
      }
    }
    request.send(formOf(file, along))
  })
}
