/** Speaks to a test server as a browser or a script would: through the contract's client, or with raw requests. */
import { login } from '../../src/api/auth.ts'
import { type Call, createClient, readAnswer } from '../../src/api/client.ts'
import type { ErrorBody } from '../../src/api/errors.ts'
import type { FileDetails } from '../../src/api/files.ts'

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
}

export interface TestClient {
  call: Call
  /** A request with this client's credentials; `path` begins with `/`. */
  raw(path: string, request?: RawRequest): Promise<Response>
  /** Uploads bytes, fields first, as our own clients do. */
  upload(bytes: string | Buffer, form?: UploadForm): Promise<FileDetails>
  /** The headers that carry the credentials. */
  headers: Record<string, string>
}

/** A client that sends these headers with every request. */
export function openClient(url: string, headers: Record<string, string> = {}): TestClient {
  const raw = (path: string, request: RawRequest = {}): Promise<Response> =>
    fetch(url + path, {
      method: request.method ?? 'GET',
      headers: { ...headers, ...request.headers },
      body: request.body as BodyInit | undefined,
      redirect: 'manual',
    })
  const call = createClient(async ({ method, url: path, body }) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await raw(`/api${path}`, { method, body, headers: type })
    return { status: response.status, text: await response.text() }
  })
  const upload = async (bytes: string | Buffer, form: UploadForm = {}) => {
    const data = new FormData()
    data.set('parent_id', form.parent_id === undefined || form.parent_id === null ? '' : String(form.parent_id))
    for (const field of ['name', 'on_conflict', 'modified_at'] as const) {
      const value = form[field]
      if (value !== undefined) data.set(field, value)
    }
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
  readAnswer({ status: response.status, text: await response.text() })
  const cookie = response.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
  return openClient(url, { cookie, origin: url })
}

/** The status and error code of an answer that should have failed. */
export async function failure(response: Response): Promise<{ status: number; error: string; fields?: object }> {
  const { error, fields } = (await response.json()) as ErrorBody
  return { status: response.status, error, ...(fields === undefined ? {} : { fields }) }
}
