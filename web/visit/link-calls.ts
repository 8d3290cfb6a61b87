/** Calls of a link's visitor. A server that is busy is asked again when it says so. */
import { type ApiRequest, type ApiResponse, type Call, createClient, readRetryAfter } from '../../src/api/client.ts'
import { apiUrl, linkToken } from '../lib/server/config.ts'
import { readTimeout } from '../lib/server/first-calls.ts'
import { waitOf } from '../lib/uploads/failures.ts'
import { whileWaiting } from './waiting.ts'

export const token = linkToken ?? ''

/** Seconds that the page waits by itself; the visitor is told about longer times instead. */
export const longestWait = 120

async function send({ method, url, body }: ApiRequest): Promise<ApiResponse> {
  const response = await fetch(apiUrl(url), {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body,
    signal: AbortSignal.timeout(readTimeout),
  })
  const retryAfter = readRetryAfter(response.headers.get('Retry-After'))
  return { status: response.status, text: await response.text(), retryAfter }
}

/** Makes a call once. */
export const callOnce = createClient(send)

/** Makes a call, and repeats it after the time that a busy server names. */
export const call: Call = (endpoint, input) => patiently(() => callOnce(endpoint, input))

/** Repeats `work` as long as it fails because the server is busy, and names a time that is not too long. */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const seconds = waitOf(error)
    if (seconds === undefined || seconds > longestWait) throw error
    await whileWaiting(new Promise(resolve => setTimeout(resolve, seconds * 1000)))
    return patiently(work)
  }
}
