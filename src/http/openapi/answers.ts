/** A call's answers as OpenAPI has them: the envelope or the bytes, and a failure for each status it can have. */
import type { Access } from '../../access/policy.ts'
import { bytes } from '../../api/endpoint.ts'
import { type ErrorCode, errorStatus } from '../../api/errors.ts'
import { apiDocument } from '../../api/openapi.ts'
import { possibleCodes } from './failures.ts'
import type { Operation, OperationName } from './operations.ts'
import { type JsonSchema, toOutputSchema } from './schemas.ts'

/** Calls that make one thing answer 201; those that may find it there already, 200 too. */
const created: Partial<Record<OperationName, readonly number[]>> = {
  createFolder: [200, 201],
  uploadFile: [201],
  copyFile: [201],
  createTag: [201],
  createApiKey: [201],
  createUser: [201],
  createRole: [201],
  createField: [201],
}

/** The types of calls that send bytes; others send the file's own. */
const byteTypes: Partial<Record<OperationName, string>> = {
  getThumbnail: 'image/webp',
  downloadFolder: 'application/zip',
  downloadArchive: 'application/zip',
}

/** Calls whose bytes come in ranges. */
const ranged: readonly OperationName[] = ['downloadFile', 'previewFile']
/** Calls that answer 304 to an If-None-Match that holds the ETag. */
const conditional: readonly OperationName[] = [...ranged, 'getThumbnail', 'listFiles', 'getOpenApi']

const isBytes = ({ endpoint }: Operation): boolean => endpoint.output === bytes

const envelope = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['success', 'message', 'data'],
  properties: { success: { const: true }, message: { type: 'string' }, data },
})

function successContent(operation: Operation): JsonSchema {
  if (isBytes(operation)) return { [byteTypes[operation.name] ?? '*/*']: {} }
  const { output } = operation.endpoint
  if (output === apiDocument) return { 'application/json': { schema: { type: 'object' } } }
  return { 'application/json': { schema: envelope(toOutputSchema(output)) } }
}

function describeSuccesses(operation: Operation): Record<string, JsonSchema> {
  const { name } = operation
  const content = successContent(operation)
  const answers: Record<string, JsonSchema> = {}
  for (const status of created[name] ?? [200]) {
    answers[status] = { description: status === 201 ? 'Made' : 'Done', content }
  }
  if (ranged.includes(name)) answers[206] = { description: 'The range that was asked for', content }
  if (conditional.includes(name)) answers[304] = { description: 'The copy that If-None-Match names is still right' }
  return answers
}

const failureContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
const retryAfter = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } }
const rateLimit = Object.fromEntries(
  ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map(name => [name, { schema: { type: 'integer' } }]),
)

function describeFailure(status: number, codes: readonly ErrorCode[]): JsonSchema {
  const headers = status === 429 ? { ...retryAfter, ...rateLimit } : status === 503 ? retryAfter : undefined
  return {
    description: codes.map(code => `\`${code}\``).join(', '),
    ...(headers === undefined ? {} : { headers }),
    content: failureContent,
  }
}

/** Every answer of a call by its status; `access` is undefined for a call that is open to all. */
export function describeAnswers(operation: Operation, access: Access | undefined): Record<string, JsonSchema> {
  const answers = describeSuccesses(operation)
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of possibleCodes(operation, access)) {
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code])
  }
  for (const [status, codes] of byStatus) answers[status] = describeFailure(status, codes)
  return answers
}
