/** Sends calls to a server with undici: addresses, credentials, retries. */
import { Agent, type Dispatcher } from 'undici'
import type * as z from 'zod/mini'
import { getProfile } from '../src/api/auth.ts'
import { ApiError, type ApiResponse, type Call, createClient, readAnswer, readRetryAfter } from '../src/api/client.ts'
import type { Endpoint } from '../src/api/endpoint.ts'
import type { ErrorCode } from '../src/api/errors.ts'
import { CommandError } from '../terminal/exit.ts'
import { checkAnswer } from './check-answer.ts'
import { explainNetworkError } from './network.ts'
import type { Credentials } from './profile.ts'
import { readText } from './read-text.ts'
import { mayHaveArrived, withRetries } from './retry.ts'

/** Milliseconds; an unreachable server must be reported within ten seconds. */
const connectTimeout = 7_000
/** Milliseconds that a call waits for the response headers. An upload has the library's five minutes. */
const answerTimeout = 60_000

const agent = new Agent({ connect: { timeout: connectTimeout } })

/** A server and how to speak to it. */
export interface Server {
  /** The server's address, without a slash at the end. */
  readonly url: string
  /** Headers of every request: a key, or a session's cookie. */
  readonly headers: Readonly<Record<string, string>>
  /** Aborts all requests that are running. */
  readonly signal: AbortSignal
  /** Gets the headers of every response. */
  readonly onHeaders?: (headers: Dispatcher.ResponseData['headers']) => void
}

/** Opens the server for requests with a key. */
export const openServer = (credentials: Credentials, signal: AbortSignal): Server => ({
  url: credentials.url,
  headers: { 'x-api-key-id': credentials.key_id, 'x-api-secret': credentials.secret },
  signal,
})

interface RawRequest {
  method: Dispatcher.HttpMethod
  /** Relative to the API base. */
  path: string
  headers?: Record<string, string>
  body?: Dispatcher.DispatchOptions['body']
}

function refuseRedirect(server: Server, response: Dispatcher.ResponseData): void {
  const { location } = response.headers
  if (response.statusCode < 300 || response.statusCode > 399 || typeof location !== 'string') return
  // Do not follow redirects: the credentials are only for the server that they were given to.
  throw new CommandError('usage', `${server.url} redirects to ${location}; use that address instead`)
}

/** Sends one request, without retries. Returns the response of any status as soon as its headers are there. */
export async function sendRequest(server: Server, options: RawRequest): Promise<Dispatcher.ResponseData> {
  try {
    const { origin, pathname, search } = new URL(`${server.url}/api${options.path}`)
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: options.method,
      headers: { 'user-agent': 'filestore', ...server.headers, ...options.headers },
      body: options.body,
      signal: server.signal,
      ...(typeof options.body === 'object' ? {} : { headersTimeout: answerTimeout }),
    })
    refuseRedirect(server, response)
    server.onHeaders?.(response.headers)
    return response
  } catch (error) {
    server.signal.throwIfAborted()
    throw explainNetworkError(server.url, error)
  }
}

/** Reads the whole text of a response, for calls that return JSON. */
export async function readResponse(server: Server, response: Dispatcher.ResponseData): Promise<ApiResponse> {
  try {
    const text = await readText(response.body)
    // undici gives a header that came twice as a list.
    const [retryAfter] = [response.headers['retry-after']].flat()
    return { status: response.statusCode, text, retryAfter: readRetryAfter(retryAfter) }
  } catch (error) {
    server.signal.throwIfAborted()
    throw explainNetworkError(server.url, error)
  }
}

/**
 * Returns the `data` of a call's response. Throws `ApiError` for a failure and for data that does not match the schema.
 */
export const readData = async <Output extends z.ZodMiniType>(
  server: Server,
  endpoint: Endpoint<z.ZodMiniType, Output>,
  response: Dispatcher.ResponseData,
): Promise<z.output<Output>> => checkAnswer(endpoint, readAnswer(await readResponse(server, response)))

/** Throws the error in a response that came in place of a file's bytes. */
export async function readRefusal(server: Server, response: Dispatcher.ResponseData): Promise<never> {
  readAnswer(await readResponse(server, response))
  throw new ApiError(response.statusCode, 'Invalid response format', { hasSentence: false })
}

/** Whether the server answers with a status other than 429 or 5xx. */
export async function serverAnswers(server: Server): Promise<boolean> {
  try {
    const response = await sendRequest(server, { method: getProfile.method, path: getProfile.path })
    await readResponse(server, response)
    return response.statusCode < 500 && response.statusCode !== 429
  } catch {
    return false
  }
}

/** Refusals of a request whose earlier attempt may have reached the server. */
const refusedAgain = new WeakSet<object>()

/**
 * Waits for a change that the server makes only once. Returns its answer, or undefined if the server refused it with
 * `code` because an earlier attempt, whose answer was lost, had already made it.
 */
export async function unlessDone<Answer>(change: Promise<Answer>, code: ErrorCode): Promise<Answer | undefined> {
  try {
    return await change
  } catch (error) {
    if (error instanceof ApiError && error.code === code && refusedAgain.has(error)) return undefined
    throw error
  }
}

/** Builds `call(endpoint, input)` that sends one request, without retries. */
export function createSingleCall(server: Server): Call {
  const call = createClient(async ({ method, url, body }) => {
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await sendRequest(server, { method: method as Dispatcher.HttpMethod, path: url, headers, body })
    return readResponse(server, response)
  })
  return async (endpoint, input) => checkAnswer(endpoint, await call(endpoint, input))
}

/**
 * Builds `call(endpoint, input)` with retries. A POST is retried only if the server refused it before doing anything,
 * unless `repeatable` says that doing it twice does no harm.
 */
export function createCall(server: Server, { repeatable = false } = {}): Call {
  const once = createSingleCall(server)
  return (endpoint, input) => {
    let isUnsure = false
    const attempt = async () => {
      try {
        return await once(endpoint, input)
      } catch (error) {
        if (isUnsure && error instanceof ApiError) refusedAgain.add(error)
        isUnsure ||= mayHaveArrived(error)
        throw error
      }
    }
    return withRetries(attempt, server.signal, repeatable || endpoint.method !== 'POST')
  }
}
