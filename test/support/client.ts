/** Speaks to a test server as a browser or a script would: through the contract's client, or with raw requests. */
import assert from 'node:assert/strict'
import { login } from '../../src/api/auth.ts'
import { type Call, createClient, readAnswer } from '../../src/api/client.ts'
import type { ErrorBody } from '../../src/api/errors.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { createApiKey } from '../../src/api/keys.ts'
import type { MetadataValue } from '../../src/api/metadata-values.ts'
import { isOwnText, refuseSecrets } from './secrets.ts'

export interface RawRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer | FormData
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
  /** A request with this client's credentials; `path` begins with `/`. */
  raw(path: string, request?: RawRequest): Promise<Response>
  /** Uploads bytes, fields first, as our own clients do. */
  upload(bytes: string | Buffer, form?: UploadForm): Promise<FileDetails>
  /** The headers that carry the credentials. */
  headers: Record<string, string>
  /** What somebody signed in with. */
  password?: string
}

/** No answer of any test may hold a secret, but the one that makes a key. */
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
  /** Every answer of every test is held to the contract: no field too few, none too many. */
  const call: Call = async (endpoint, input) => {
    const data = await send(endpoint, input)
    assert.deepEqual(endpoint.output.parse(data), data, `${endpoint.method} ${endpoint.path} answers otherwise`)
    return data
  }
  const upload = async (bytes: string | Buffer, form: UploadForm = {}) => {
    const data = new FormData()
    data.set('parent_id', form.parent_id === undefined || form.parent_id === null ? '' : String(form.parent_id))
    for (const field of ['name', 'on_conflict', 'modified_at'] as const) {
      const value = form[field]
      if (value !== undefined) data.set(field, value)
    }
    if (form.metadata !== undefined) data.set('metadata', JSON.stringify(form.metadata))
    // The name goes in its own field, free of what a part's file name does to quotes and backslashes.
    data.set('file', new Blob([bytes as BlobPart]), 'file.bin')
    const response = await raw('/api/files/upload', { method: 'POST', body: data })
    return readAnswer<{ file: FileDetails }>({ status: response.status, text: await response.text() }).file
  }
  return { call, raw, upload, headers }
}

/** Signs in as a browser does; gives back a client with the session's cookie. */
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

/** The status and error code of an answer that should have failed. */
export async function failure(response: Response): Promise<{ status: number; error: string; fields?: object }> {
  const { error, fields } = (await response.json()) as ErrorBody
  return { status: response.status, error, ...(fields === undefined ? {} : { fields }) }
}
