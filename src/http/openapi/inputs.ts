/** A call's input in OpenAPI: parameters of path and query, or a body as JSON, form or multipart. */
import { type Endpoint, pathParams } from '../../api/endpoint.ts'
import { maxUploadManyFiles } from '../../api/limits.ts'
import { uploadItem } from '../../api/upload-many.ts'
import { askedHeaders } from './headers.ts'
import type { Operation } from './operations.ts'
import { type JsonSchema, toInputSchema } from './schemas.ts'
import { fieldNotes } from './texts.ts'

type Properties = Record<string, JsonSchema>

interface Inputs {
  parameters?: JsonSchema[]
  requestBody?: JsonSchema
}

const propertiesOf = (schema: JsonSchema): Properties => (schema.properties ?? {}) as Properties
const requiredOf = (schema: JsonSchema): string[] => (schema.required ?? []) as string[]

/** Adds the description of `fieldNotes` to each property. */
function describeFields(schema: JsonSchema): void {
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const note = fieldNotes[name]
    if (note !== undefined) property.description ??= note
  }
  for (const form of (schema.oneOf ?? []) as JsonSchema[]) describeFields(form)
}

function toParameter(name: string, where: 'path' | 'query', property: JsonSchema, required: boolean): JsonSchema {
  const { description, ...schema } = property
  return { name, in: where, required, ...(description === undefined ? {} : { description }), schema }
}

/** Returns the schema without the fields that are in the path. */
function withoutPath(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(Object.entries(propertiesOf(schema)).filter(([name]) => !names.includes(name)))
  const required = requiredOf(schema).filter(name => !names.includes(name))
  const { required: _all, ...rest } = schema
  return { ...rest, properties, ...(required.length === 0 ? {} : { required }) }
}

const bytesPart: JsonSchema = { type: 'string', contentMediaType: 'application/octet-stream' }

const filePart: JsonSchema = {
  ...bytesPart,
  description: 'The bytes; exactly one file. Fields in front of it are checked before its bytes.',
}

const manyParts: Properties = {
  item: {
    type: 'array',
    items: toInputSchema(uploadItem),
    description: 'Before each file, as JSON: its name, the folder below the parent, and the fields of a single upload.',
  },
  file: { type: 'array', items: bytesPart, maxItems: maxUploadManyFiles },
}

function toBody(endpoint: Endpoint, schema: JsonSchema): JsonSchema | undefined {
  if (endpoint.carrier === 'bytes') return { content: { 'application/offset+octet-stream': { schema: bytesPart } } }
  if (endpoint.carrier === 'multipart-many') {
    const form = { ...schema, properties: { ...propertiesOf(schema), ...manyParts }, required: ['item', 'file'] }
    return { required: true, content: { 'multipart/form-data': { schema: form } } }
  }
  if (endpoint.carrier === 'multipart') {
    const form = { ...schema, properties: { ...propertiesOf(schema), file: filePart }, required: ['file'] }
    return { required: true, content: { 'multipart/form-data': { schema: form } } }
  }
  if (schema.type === 'object' && Object.keys(propertiesOf(schema)).length === 0) return undefined
  const json = { 'application/json': { schema } }
  const form = { 'application/x-www-form-urlencoded': { schema } }
  const required = schema.oneOf !== undefined || requiredOf(schema).length > 0
  return { required, content: endpoint.form === undefined ? json : { ...json, ...form } }
}

/** Returns the parameters and the body of a call. */
export function describeInputs({ name: call, endpoint }: Operation): Inputs {
  const schema = toInputSchema(endpoint.input)
  describeFields(schema)
  const inPath = pathParams(endpoint.path)
  const parameters = inPath.map(name => toParameter(name, 'path', propertiesOf(schema)[name] ?? {}, true))
  for (const header of askedHeaders[call] ?? []) parameters.push({ ...header, in: 'header' })
  const rest = inPath.length === 0 ? schema : withoutPath(schema, inPath)
  if (endpoint.carrier === 'query') {
    for (const [name, property] of Object.entries(propertiesOf(rest))) {
      parameters.push(toParameter(name, 'query', property, requiredOf(rest).includes(name)))
    }
  }
  const requestBody = endpoint.carrier === 'query' ? undefined : toBody(endpoint, rest)
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
  }
}
