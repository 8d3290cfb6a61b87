/** A call's responses in OpenAPI: the envelope or the bytes, and an error for each status it can have. */
import { bytes, noBody } from '../../api/endpoint.ts'
import { type ErrorCode, errorStatus } from '../../api/errors.ts'
import { apiDocument } from '../../api/openapi.ts'
import { type DescribedAccess, possibleCodes } from './failures.ts'
import { answerHeaders, type HeaderName, keyLimits, referToHeaders } from './headers.ts'
import type { Operation, OperationName } from './operations.ts'
import { type JsonSchema, toOutputSchema } from './schemas.ts'

/** Calls that support ranges. */
const ranged: readonly OperationName[] = ['downloadFile', 'previewFile']
/** Calls that return 304 if If-None-Match contains the ETag. */
const conditional: readonly OperationName[] = [...ranged, 'getThumbnail', 'listFiles', 'getOpenApi']

const isBytes = ({ endpoint }: Operation): boolean => endpoint.output === bytes

const envelope = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['success', 'message', 'data'],
  properties: { success: { const: true }, message: { type: 'string' }, data },
})

function successContent(operation: Operation): JsonSchema | undefined {
  if (operation.endpoint.output === noBody) return undefined
  if (isBytes(operation)) return { [operation.endpoint.about.contentType ?? '*/*']: {} }
  const { output } = operation.endpoint
  if (output === apiDocument) return { 'application/json': { schema: { type: 'object' } } }
  return { 'application/json': { schema: envelope(toOutputSchema(output)) } }
}

/** Returns the headers that describe bytes or an ETag. */
function contentHeaders(operation: Operation): HeaderName[] {
  const named = answerHeaders[operation.name]
  if (named !== undefined) return [...named]
  const isConditional = conditional.includes(operation.name)
  if (!isBytes(operation)) return isConditional ? ['ETag'] : []
  return isConditional ? ['Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges'] : ['Content-Disposition']
}

function describeSuccesses(operation: Operation, limits: readonly HeaderName[]): Record<string, JsonSchema> {
  const { name, endpoint } = operation
  const content = successContent(operation)
  const names = [...contentHeaders(operation), ...limits]
  const headers = referToHeaders(names)
  const answers: Record<string, JsonSchema> = {}
  for (const status of endpoint.about.statuses ?? [200]) {
    answers[status] = { description: status === 201 ? 'Made' : 'Done', ...headers, ...(content && { content }) }
  }
  if (ranged.includes(name)) {
    const ofRange = referToHeaders([...names, 'Content-Range'])
    answers[206] = { description: 'The range that was asked for', ...ofRange, content }
  }
  if (conditional.includes(name)) {
    answers[304] = { description: 'The copy that If-None-Match names is still right', ...headers }
  }
  return answers
}

const failureContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

function failureHeaders(status: number, limits: readonly HeaderName[]): readonly HeaderName[] {
  if (status === 429) return ['Retry-After', ...limits]
  if (status === 503) return ['Retry-After']
  return status === 416 ? ['Content-Range'] : []
}

/** Returns every response of a call by its status; `access` is undefined for a public call. */
export function describeAnswers(operation: Operation, access: DescribedAccess | undefined): Record<string, JsonSchema> {
  const limits = access === undefined || access === 'session' || access === 'visitor' ? [] : keyLimits
  const answers = describeSuccesses(operation, limits)
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of possibleCodes(operation, access)) {
    byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code])
  }
  for (const [status, codes] of byStatus) {
    const description = codes.map(code => `\`${code}\``).join(', ')
    answers[status] = { description, ...referToHeaders(failureHeaders(status, limits)), content: failureContent }
  }
  return answers
}
