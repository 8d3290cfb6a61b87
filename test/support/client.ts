/** Talks to a test server like a browser or a script: with the contract's client, or with raw requests. */
import assert from 'node:assert/strict'
import { login } from '../../src/api/auth.ts'
import { type Call, createClient, readAnswer, readRetryAfter } from '../../src/api/client.ts'
import type { ErrorBody } from '../../src/api/errors.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { createApiKey } from '../../src/api/keys.ts'
import type { MetadataValue } from '../../src/api/metadata-values.ts'
import { multipartBody, multipartType } from './multipart.ts'
import { isOwnText, refuseSecrets } from './secrets.ts'

export interface RawRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer | FormData
  signal?: AbortSignal
}

export interface UploadForm {
  name?: string
  parent_id?: number | null
  on_conflict?: string
  modified_at?: string
  metadata?: readonly MetadataValue[]
}

export interface TestClient {
  call: Call
  /** Sends a request with this client's credentials; `path` begins with `/`. */
  raw(path: string, request?: RawRequest): Promise<Response>
  /** Uploads bytes with the fields before the file, like our own clients. */
  upload(bytes: string | Buffer, form?: UploadForm): Promise<FileDetails>
  /** The headers that carry the credentials. */
  headers: Record<string, string>
  /** The password of the user, after a sign-in. */
  password?: string
}

/** Fails when an answer contains a secret; only the answer that creates a key may contain one. */
async function checkSecrets(response: Response, headers: Record<string, string>): Promise<void> {
  const [type, disposition] = ['content-type', 'content-disposition'].map(name => response.headers.get(name) ?? '')
  if (isOwnText(type ?? '', disposition ?? '')) refuseSecrets(await response.clone().text(), headers)
}

/** A client that sends these headers with every request. */
export function openClient(url: string, headers: Record<string, string> = {}): TestClient {
  const raw = async (path: string, request: RawRequest = {}): Promise<Response> => {
    const method = request.method ?? 'GET'
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...request.headers },
      body: request.body as BodyInit | undefined,
      redirect: 'manual',
      signal: request.signal,
    })
    if (path !== `/api${createApiKey.path}` || method !== createApiKey.method)
      await checkSecrets(response, { ...headers, ...request.headers })
    return response
  }
  const send = createClient(async ({ method, url: path, body }) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await raw(`/api${path}`, { method, body, headers: type })
    return { status: response.status, text: await response.text() }
  })
  /** Compares every answer of every test with the contract: no field may be missing, and none may be extra. */
  const call: Call = async (endpoint, input) => {
    const data = await send(endpoint, input)
    assert.deepEqual(endpoint.output.parse(data), data, `${endpoint.method} ${endpoint.path} answers otherwise`)
    return data
  }
  const upload = async (bytes: string | Buffer, form: UploadForm = {}) => {
    const { name, parent_id, on_conflict, modified_at, metadata } = form
    const fields = { parent_id: parent_id ?? '', name, on_conflict, modified_at, metadata: JSON.stringify(metadata) }
    const parts = Object.entries(fields).flatMap(([field, value]) =>
      value === undefined ? [] : [{ name: field, value: String(value) }],
    )
    // The name is in its own field, where quotes and backslashes need no escaping as they do in a part's file name.
    // The body is one buffer, because a FormData with a Blob takes half as much work again.
    const body = multipartBody([...parts, { name: 'file', value: bytes, fileName: 'file.bin' }])
    const response = await raw('/api/files/upload', {
      method: 'POST',
      headers: { 'content-type': multipartType },
      body,
    })
    const retryAfter = readRetryAfter(response.headers.get('retry-after'))
    return readAnswer<{ file: FileDetails }>({ status: response.status, text: await response.text(), retryAfter }).file
  }
  return { call, raw, upload, headers }
}

/** Signs in like a browser; returns a client with the session's cookie. */
export async function signIn(url: string, username: string, password: string): Promise<TestClient> {
  const response = await fetch(`${url}/api${login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username, password }),
  })
  const text = await response.text()
  readAnswer({ status: response.status, text })
  const cookie = response.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
  refuseSecrets(text, { cookie })
  return { ...openClient(url, { cookie, origin: url }), password }
}

/** The status and error code of an answer that must be a failure. */
export async function failure(response: Response): Promise<{ status: number; error: string; fields?: object }> {
  const { error, fields } = (await response.json()) as ErrorBody
  return { status: response.status, error, ...(fields === undefined ? {} : { fields }) }
}
