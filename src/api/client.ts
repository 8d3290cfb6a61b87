/** The client's half of the contract: turns an endpoint and its input into a request, and its answer into data. */
import { type Endpoint, type InputOf, type OutputOf, pathParams } from './endpoint.ts'
import type { ErrorBody, ErrorCode, FieldErrors, SuccessBody } from './errors.ts'

export interface ApiRequest {
  method: string
  /** Path and query, relative to the API base: `/files?parent_id=3`. */
  url: string
  /** A JSON document, when the call has a body. */
  body?: string
}

export interface ApiResponse {
  status: number
  /** The raw body. */
  text: string
  /** Seconds to wait, if the server sent Retry-After. */
  retryAfter?: number
}

/** Seconds. A longer Retry-After is cut to a year, because it may be too large for a date. */
const maxRetryAfter = 365 * 24 * 3600

/**
 * Returns the seconds of a Retry-After header, which holds a number or a date (RFC 9110 section 10.2.3); undefined if
 * there is none.
 */
export function readRetryAfter(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), maxRetryAfter)
}

/** Sends a request to the server; rejects only if no answer came. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>

interface ApiErrorDetails {
  code?: ErrorCode
  fields?: FieldErrors
  requestId?: string
  retryAfter?: number
  hasSentence?: boolean
}

/** A failed answer of the server; `message` is the server's message, or `HTTP <status>` if it sent none. */
export class ApiError extends Error {
  readonly code: ErrorCode | undefined
  readonly fields: FieldErrors
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  /** Whether `message` came from the server; false if it was made up here. */
  readonly hasSentence: boolean

  constructor(
    readonly status: number,
    message: string,
    details: ApiErrorDetails = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = details.code
    this.fields = details.fields ?? {}
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
    this.hasSentence = details.hasSentence ?? true
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any endpoint, whatever its types
type AnyEndpoint = Endpoint<any, any>
type Values = Record<string, unknown>

/** Builds the request of a call. Input fields that are not in `path` go into the query or the body. */
export function requestOf(call: AnyEndpoint, input: Values): ApiRequest {
  const rest: Values = { ...input }
  let path = call.path
  for (const name of pathParams(call.path)) {
    path = path.replace(`:${name}`, encodeURIComponent(String(rest[name])))
    delete rest[name]
  }
  if (call.carrier.startsWith('json')) return { method: call.method, url: path, body: JSON.stringify(rest) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, String(one))
    }
  }
  const search = query.toString()
  return { method: call.method, url: search === '' ? path : `${path}?${search}` }
}

/** Whether the status of an answer is that of a success. */
export const isSuccess = ({ status }: Pick<ApiResponse, 'status'>): boolean => status >= 200 && status < 300

/** Returns the `data` of an answer. Throws ApiError for a failure and for a success not in this API's format. */
export function readAnswer<Data>(response: ApiResponse): Data {
  const body = parseJson(response.text)
  if (isSuccess(response) && body?.success === true) return body.data as Data
  throw refusalIn(response)
}

/** The error that an answer without the expected success stands for. */
export function refusalIn(response: ApiResponse): ApiError {
  if (isSuccess(response)) return new ApiError(response.status, 'Invalid response format', { hasSentence: false })
  const body = parseJson(response.text)
  const failure = body?.success === false ? body : undefined
  const message = textOf(failure?.message)
  return new ApiError(response.status, message ?? `HTTP ${response.status}`, {
    code: textOf(failure?.error) as ErrorCode | undefined,
    fields: failure && textsOf(failure.fields),
    requestId: textOf(failure?.request_id),
    retryAfter: response.retryAfter,
    hasSentence: Boolean(message),
  })
}

/** The value if it is a string: a failure may come from a proxy in between, so its fields can have any type. */
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const textsOf = (fields: FieldErrors | undefined): FieldErrors =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => textOf(value) !== undefined))

function parseJson(text: string): SuccessBody<unknown> | ErrorBody | undefined {
  try {
    return JSON.parse(text) as SuccessBody<unknown> | ErrorBody
  } catch {
    return undefined
  }
}

export type Call = <E extends AnyEndpoint>(call: E, input: InputOf<E>) => Promise<OutputOf<E>>

/** Builds `call(endpoint, input)` on top of `send`. */
export const createClient =
  (send: Send): Call =>
  async (call, input) =>
    readAnswer(await send(requestOf(call, input as Values)))
