/** Calls to the server. A call that gets a 401 is repeated once the same user has signed in again. */
import { type ApiRequest, type ApiResponse, createClient, readRetryAfter } from '../../../src/api/client.ts'
import { suspendUser, useAuth, waitForReturn } from './auth-store.ts'
import { apiUrl } from './config.ts'
import { noteAnswer, noteSilence } from './connection.ts'
import { readTimeout } from './first-calls.ts'
import { log } from './log-failure.ts'

/** Takes an answer that was requested before the page loaded. Each serves one call; any change invalidates all. */
function takePreloaded(url: string, method: string): Promise<Response> | undefined {
  if (method !== 'GET') dropPreloaded()
  const answer = window.preloaded?.get(url)
  window.preloaded?.delete(url)
  return answer
}

/** Forgets the preloaded answers, for example because the user changed. */
export const dropPreloaded = (): void => window.preloaded?.clear()

async function attempt(request: ApiRequest): Promise<ApiResponse> {
  const url = apiUrl(request.url)
  const ask = () =>
    fetch(url, {
      method: request.method,
      credentials: 'include',
      headers: request.body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: request.body,
      // A change has no timeout: giving up would not undo it.
      signal: request.method === 'GET' ? AbortSignal.timeout(readTimeout) : undefined,
    })
  // Repeat a request that failed before the page loaded.
  const preloaded = takePreloaded(url, request.method)?.catch(ask)
  const response = await (preloaded ?? ask()).catch(error => {
    noteSilence(error)
    throw error
  })
  noteAnswer(response)
  const retryAfter = readRetryAfter(response.headers.get('Retry-After'))
  return { status: response.status, text: await response.text(), retryAfter }
}

async function send(request: ApiRequest): Promise<ApiResponse> {
  const { user } = useAuth.getState()
  const response = await attempt(request)
  if (response.status !== 401) return response
  // A request sent before the user signed in again may still answer 401; that does not end the new session.
  if (useAuth.getState().user === user) noteStatus(response.status)
  return (await waitForReturn()) ? send(request) : response
}

/** Handles an answer's status: after a 401 the signed-in user must sign in again. */
export function noteStatus(status: number): void {
  if (status !== 401) return
  if (useAuth.getState().isAuthenticated) log('The session has ended: the server answered 401')
  suspendUser()
}

export { reasonOf } from './reason-of.ts'

export const call = createClient(send)

/** For signing in and out, and for asking who is signed in: a 401 is an ordinary answer. */
export const callOnce = createClient(attempt)
