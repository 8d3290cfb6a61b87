/** Calls to the server from this page: the session cookie goes with each, and a 401 ends the session here too. */
import { ApiError, type ApiRequest, type ApiResponse, createClient } from '../../src/api/client.ts'
import { clearUser, useAuth } from './auth-store.ts'
import { apiUrl } from './config.ts'

/** Milliseconds after which reading gives up. Changes wait for their answer: giving up would not undo them. */
const readTimeout = 30_000

async function send(request: ApiRequest): Promise<ApiResponse> {
  const response = await fetch(apiUrl(request.url), {
    method: request.method,
    credentials: 'include',
    headers: request.body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: request.body,
    signal: request.method === 'GET' ? AbortSignal.timeout(readTimeout) : undefined,
  })
  const retryAfter = Number(response.headers.get('Retry-After'))
  noteStatus(response.status)
  return { status: response.status, text: await response.text(), retryAfter: retryAfter || undefined }
}

/** Takes note of an answer's status: whoever was signed in and hears 401 no longer is. */
export function noteStatus(status: number): void {
  if (status === 401 && useAuth.getState().isAuthenticated) clearUser()
}

export const call = createClient(send)

/** The server's sentence for a failed call, else the given text. */
export const messageOf = (error: unknown, fallback: string): string =>
  error instanceof ApiError && error.message !== '' ? error.message : fallback

/** Why a call failed, in a sentence that stands behind the name of what failed. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `The server did not answer within ${readTimeout / 1000} seconds.`
  }
  return 'The server cannot be reached.'
}
