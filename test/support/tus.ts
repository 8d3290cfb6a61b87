/** Speaks tus 1.0, as a client without a library would. */
import { type Endpoint, noBody, pathParams } from '../../src/api/endpoint.ts'
import { appendLinkUpload, createLinkUpload } from '../../src/api/link-uploads.ts'
import { appendUpload, createUpload } from '../../src/api/tus.ts'
import { asText } from './as-text.ts'
import type { RawRequest, TestClient } from './client.ts'

export const version = { 'tus-resumable': '1.0.0' }
export const bytesType = { 'content-type': 'application/offset+octet-stream' }

/** The header Upload-Metadata. */
export const metadataOf = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key} ${Buffer.from(String(value)).toString('base64')}`)
    .join(',')

/** Whether a call answers without a body, and reads its input from headers. */
export const isTus = ({ output }: Endpoint): boolean => output === noBody

/** The request of a call of tus; of an input the fields that are not in the path become metadata. */
export function tusRequest(endpoint: Endpoint, input: Record<string, unknown>): RawRequest & { path: string } {
  const fields = { ...input }
  let path = `/api${endpoint.path}`
  for (const name of pathParams(endpoint.path)) {
    path = path.replace(`:${name}`, encodeURIComponent(asText(fields[name])))
    delete fields[name]
  }
  const { method } = endpoint
  /** By method and path: a test that loads all modules at once may have a call twice. */
  const is = (...calls: Endpoint[]): boolean =>
    calls.some(({ method, path: pattern }) => method === endpoint.method && pattern === endpoint.path)
  if (is(createUpload, createLinkUpload)) {
    const headers = { ...version, 'upload-length': '7', 'upload-metadata': metadataOf({ name: 'tus.txt', ...fields }) }
    return { path, method, headers }
  }
  const isSending = is(appendUpload, appendLinkUpload)
  const headers = isSending ? { ...version, ...bytesType, 'upload-offset': '0' } : version
  return { path, method, headers, body: isSending ? 'some' : undefined }
}

type Raw = Pick<TestClient, 'raw'>

interface Begin {
  length: number
  /** Where uploads begin: a user's, unless told otherwise. */
  to?: string
  metadata?: Record<string, unknown>
  headers?: Record<string, string>
  body?: Buffer
}

/** Asks for a new upload, whatever the answer. */
export const askUpload = (
  client: Raw,
  { length, to = '/api/uploads', metadata = {}, headers = {}, body }: Begin,
): Promise<Response> =>
  client.raw(to, {
    method: 'POST',
    headers: {
      ...version,
      'upload-length': String(length),
      'upload-metadata': metadataOf({ name: 'big.bin', ...metadata }),
      ...(body === undefined ? {} : bytesType),
      ...headers,
    },
    body,
  })

/** Begins an upload; returns its address. */
export async function beginUpload(client: Raw, begin: Begin): Promise<string> {
  const response = await askUpload(client, begin)
  if (response.status !== 201) throw new Error(`POST /api/uploads: ${response.status} ${await response.text()}`)
  return response.headers.get('location') ?? ''
}

export const patch = (
  client: Raw,
  address: string,
  offset: number,
  body: Buffer,
  headers: Record<string, string> = {},
) =>
  client.raw(address, {
    method: 'PATCH',
    headers: { ...version, ...bytesType, 'upload-offset': String(offset), ...headers },
    body,
  })

export const head = (client: Raw, address: string) => client.raw(address, { method: 'HEAD', headers: version })

export const discard = (client: Raw, address: string) => client.raw(address, { method: 'DELETE', headers: version })

/** An id that no upload has. */
export const nobodysId = '0'.repeat(32)

/** How far an answer says that an upload has come. */
export const offsetOf = (response: Response) => response.headers.get('upload-offset')

/** The bytes of the file that an answer says an upload has become. */
export async function fileOf(client: TestClient, response: Response): Promise<Buffer> {
  const address = response.headers.get('content-location') ?? ''
  return Buffer.from(await (await client.raw(`${address}/download`)).arrayBuffer())
}

export const idOf = (address: string): string => address.split('/').at(-1) ?? ''
