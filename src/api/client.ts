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
  /** The body as it came. */
  text: string
  /** Seconds to wait, from Retry-After, when the server gave them. */
  retryAfter?: number
}

/** Carries a request to the server; rejects only when no answer came. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>

interface ApiErrorDetails {
  code?: ErrorCode
  fields?: FieldErrors
  requestId?: string
  retryAfter?: number
  hasSentence?: boolean
}

/** A failed answer of the server; `message` is the server's sentence, else `HTTP <status>`. */
export class ApiError extends Error {
  readonly code: ErrorCode | undefined
  readonly fields: FieldErrors
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  /** Whether the message is what the server said, and not made up here for want of it. */
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

/** The URL of a call, relative to the API base, with every field that is not in `path` left for query or body. */
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

/** The `data` of an answer. Throws ApiError for a failure and for a success that is not this API's. */
export function readAnswer<Data>(response: ApiResponse): Data {
  const ok = response.status >= 200 && response.status < 300
  const body = parseJson(response.text)
  if (ok && body?.success === true) return body.data as Data
  if (ok) throw new ApiError(response.status, 'Invalid response format', { hasSentence: false })
  const failure = body?.success === false ? body : undefined
  const message = textOf(failure?.message)
  throw new ApiError(response.status, message ?? `HTTP ${response.status}`, {
    code: textOf(failure?.error) as ErrorCode | undefined,
    fields: failure && textsOf(failure.fields),
    requestId: textOf(failure?.request_id),
    retryAfter: response.retryAfter,
    hasSentence: Boolean(message),
  })
}

/** A refusal may come from anything that stands between. */
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

/** Builds `call(endpoint, input)` over one way of sending. */
export const createClient =
  (send: Send): Call =>
  async (call, input) =>
    readAnswer(await send(requestOf(call, input as Values)))
