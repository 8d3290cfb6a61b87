/** Sends a call of the contract, whatever it answers, and compares the answer with the OpenAPI document. */
import assert from 'node:assert/strict'
import { requestOf } from '../../src/api/client.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { type ErrorBody, errorStatus, type SuccessBody } from '../../src/api/errors.ts'
import type { TestClient } from '../support/client.ts'
import { callOf, contract } from '../support/contract.ts'
import { firstPart } from '../support/first-part.ts'
import { isTus, tusRequest } from '../support/tus.ts'
import type { Input } from './build-input.ts'

export interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>
}

export const endpointOf = (name: string): Endpoint => {
  const found = contract.find(entry => entry.name === name)
  assert.ok(found !== undefined, `the contract has no ${name}`)
  return found.endpoint
}

const toForm = (input: Input, isMany: boolean): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(input)) form.set(name, String(value))
  if (isMany) form.set('item', JSON.stringify({ name: 'matrix.txt' }))
  form.set('file', new Blob(['bytes of the matrix']), 'matrix.txt')
  return form
}

const toUrlencoded = (input: Input): string =>
  new URLSearchParams(
    Object.entries(input).flatMap(([name, value]) => [value].flat().map(one => [name, String(one)])),
  ).toString()

/** The answer to a call as a program sends it, or with `asForm` as an HTML form sends it. */
export async function sendCall(
  client: TestClient,
  endpoint: Endpoint,
  input: Input,
  { asForm = false, method = endpoint.method as string } = {},
): Promise<Response> {
  if (isTus(endpoint)) {
    const { path, ...request } = tusRequest(endpoint, input)
    return client.raw(path, { ...request, method })
  }
  if (endpoint.carrier === 'multipart' || endpoint.carrier === 'multipart-many') {
    const { id, ...fields } = input
    const path = endpoint.path.replace(':id', String(id))
    const isUpload = path === endpoint.path
    // New content names the content that it replaces: any.
    const headers: Record<string, string> = isUpload ? {} : { 'if-match': '*' }
    const body = toForm(isUpload ? input : fields, endpoint.carrier === 'multipart-many')
    return client.raw(`/api${path}`, { method, headers, body })
  }
  const { url, body } = requestOf(endpoint, input)
  const type = asForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const response = await client.raw(`/api${url}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': type },
    body: asForm ? toUrlencoded(input) : body,
  })
  return firstPart(response)
}

/** Fails unless the OpenAPI document describes this status for the call and, after a failure, this error code. */
export function checkDescribed(
  document: Document,
  endpoint: Endpoint,
  status: number,
  error: string | undefined,
): void {
  const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
  const described = document.paths[path]?.[endpoint.method.toLowerCase()]?.responses[status]
  assert.ok(described !== undefined, `${callOf(endpoint)} answers ${status}, which its description lacks`)
  if (error !== undefined) {
    assert.ok(described.description.includes(`\`${error}\``), `${callOf(endpoint)} answers ${error}, not described`)
  }
}

type Body = SuccessBody<{ results?: { ok: boolean; error?: keyof typeof errorStatus }[] } | null> | ErrorBody

/** The status of an answer; for a batch, the status that its single id would get alone. */
export async function readStatus(document: Document, endpoint: Endpoint, response: Response): Promise<number> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  // The answer to HEAD has the headers of its error alone.
  if (!isJson || endpoint.method === 'HEAD') {
    await response.arrayBuffer()
    checkDescribed(document, endpoint, response.status, undefined)
    return response.status
  }
  const body = (await response.json()) as Body
  checkDescribed(document, endpoint, response.status, body.success === false ? body.error : undefined)
  const result = body.success === true ? body.data?.results?.[0] : undefined
  return result?.error === undefined ? response.status : errorStatus[result.error]
}
