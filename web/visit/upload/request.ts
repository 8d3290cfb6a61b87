/** One request of an upload: XMLHttpRequest, because fetch reports no upload progress. */
import { type ApiResponse, readRetryAfter } from '../../../src/api/client.ts'
import { apiUrl } from '../../lib/server/config.ts'
import { findUnreadable } from '../../lib/uploads/unreadable.ts'

/** The connection broke, or a proxy could not reach the server. */
export class LineBreak extends Error {
  /** `isSent`: the whole file was sent, so that it may have arrived. `isFurther`: the server has more of it than before. */
  constructor(
    readonly isSent: boolean,
    readonly isFurther = false,
  ) {
    super('The connection broke')
  }
}

interface Sending {
  method: string
  /** Relative to the API base. */
  path: string
  headers?: Readonly<Record<string, string>>
  body: FormData | Blob | string | null
  /** Gets the number of bytes of the body that have left so far. */
  onSent?: (bytes: number) => void
}

interface Answer extends ApiResponse {
  header(name: string): string | null
  /** Whether the whole body had left before the answer came. */
  isSent: boolean
}

/** HTTP's status for a request that took too long to arrive. */
const timedOut = 408
/** ms without a byte sent after which a connection counts as broken: one that just hangs reports no error for long. */
const longestStall = 60_000

/**
 * Sends a request about a file, whatever the answer. Rejects with `LineBreak` if none came, and with another error if the
 * file cannot be read.
 */
export function sendRequest(file: File, { method, path, headers = {}, body, onSent }: Sending): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, apiUrl(path))
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    let stall: ReturnType<typeof setTimeout> | undefined
    const watch = () => {
      clearTimeout(stall)
      stall = setTimeout(() => request.abort(), longestStall)
    }
    let isSent = false
    if (onSent !== undefined) {
      request.upload.onloadstart = watch
      request.upload.onprogress = ({ loaded }) => {
        watch()
        onSent(loaded)
      }
      request.upload.onload = () => {
        isSent = true
      }
      // The answer may take longer.
      request.upload.onloadend = () => clearTimeout(stall)
    } else request.timeout = longestStall
    request.onabort = () => reject(new LineBreak(false))
    request.ontimeout = () => reject(new LineBreak(false))
    const reportBreak = async () => reject((await findUnreadable(file)) ?? new LineBreak(isSent))
    request.onerror = () => void reportBreak()
    request.onload = () => {
      // The server, or a proxy, waited too long for the body.
      if (request.status === timedOut) return void reportBreak()
      const header = (name: string) => request.getResponseHeader(name)
      const retryAfter = readRetryAfter(header('Retry-After'))
      resolve({ status: request.status, text: request.responseText, retryAfter, header, isSent })
    }
    request.send(body)
  })
}
