/** Sends any input of a call, even an invalid one that a typed client could not send. */
import { type Endpoint, pathParams } from '../../src/api/endpoint.ts'
import type { ErrorBody, SuccessBody } from '../../src/api/errors.ts'
import { asText } from './as-text.ts'
import type { TestClient } from './client.ts'
import { isTus, tusRequest } from './tus.ts'

export type Input = Record<string, unknown>

const queryOf = (input: Input): URLSearchParams =>
  new URLSearchParams(
    Object.entries(input).flatMap(([name, value]) =>
      [value].flat().map(one => [name, asText(one)] as [string, string]),
    ),
  )

function formOf(input: Input, isMany: boolean): FormData {
  const form = new FormData()
  for (const [name, value] of queryOf(input)) form.append(name, value)
  if (isMany) form.set('item', JSON.stringify({ name: 'file.txt' }))
  form.set('file', new Blob(['never stored']), 'file.txt')
  return form
}

/** Sends the parameters of the path in the URL, and the other fields as the call expects them. */
export function sendInput(client: TestClient, endpoint: Endpoint, input: Input): Promise<Response> {
  if (isTus(endpoint)) {
    const { path, ...request } = tusRequest(endpoint, input)
    return client.raw(path, request)
  }
  const rest = { ...input }
  let path = `/api${endpoint.path}`
  for (const name of pathParams(endpoint.path)) {
    path = path.replace(`:${name}`, encodeURIComponent(asText(rest[name])))
    delete rest[name]
  }
  const { method, carrier } = endpoint
  if (carrier === 'multipart' || carrier === 'multipart-many') {
    return client.raw(path, { method, body: formOf(rest, carrier === 'multipart-many') })
  }
  if (carrier === 'query') return client.raw(`${path}?${queryOf(rest)}`, { method })
  return client.raw(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) })
}

/** The reason of a refusal: the status, the error code and the names of the wrong fields. */
export async function readRefusal(
  response: Response,
): Promise<{ status: number; error: string | null; named: string[] }> {
  const body = (await response.json()) as ErrorBody | SuccessBody<unknown>
  if (body.success) return { status: response.status, error: null, named: [] }
  return { status: response.status, error: body.error, named: Object.keys(body.fields ?? {}) }
}
