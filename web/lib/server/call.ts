/** Calls to the server from this page. What a 401 interrupts goes on once the same user has signed in again. */
import { ApiError, type ApiRequest, type ApiResponse, createClient, readRetryAfter } from '../../../src/api/client.ts'
import { suspendUser, useAuth, waitForReturn } from './auth-store.ts'
import { apiUrl } from './config.ts'
import { noteAnswer, noteSilence } from './connection.ts'
import { readTimeout } from './first-calls.ts'
import { log } from './log-failure.ts'

/** The answer that was asked for while the page was on its way; there is one for each call, and a change outdates all. */
function takeAhead(url: string, method: string): Promise<Response> | undefined {
  if (method !== 'GET') dropAhead()
  const answer = window.ahead?.get(url)
  window.ahead?.delete(url)
  return answer
}

/** Forgets what was asked for ahead, as for another user. */
export const dropAhead = (): void => window.ahead?.clear()

async function attempt(request: ApiRequest): Promise<ApiResponse> {
  const url = apiUrl(request.url)
  const ask = () =>
    fetch(url, {
      method: request.method,
      credentials: 'include',
      headers: request.body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: request.body,
      // Changes wait for their answer: giving up would not undo them.
      signal: request.method === 'GET' ? AbortSignal.timeout(readTimeout) : undefined,
    })
  // One that failed on the way ahead is asked for anew.
  const ahead = takeAhead(url, request.method)?.catch(ask)
  const response = await (ahead ?? ask()).catch(error => {
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
  // An answer from before the user signed in again, as the profile of then tells, ends nothing.
  if (useAuth.getState().user === user) noteStatus(response.status)
  return (await waitForReturn()) ? send(request) : response
}

/** Takes note of an answer's status: whoever was signed in and hears 401 must sign in again. */
export function noteStatus(status: number): void {
  if (status !== 401) return
  if (useAuth.getState().isAuthenticated) log('The session has ended: the server answered 401')
  suspendUser()
}

export const call = createClient(send)

/** For signing in and out, and for asking who one is: a 401 is an answer like any other. */
export const callOnce = createClient(attempt)

/** Why a call failed, in a sentence that stands behind the name of what failed. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `The server did not answer within ${readTimeout / 1000} seconds.`
  }
  // What fetch throws where no answer came.
  if (error instanceof TypeError) return 'The server cannot be reached.'
  return 'Something went wrong on this page.'
}
