/** Valid inputs for calls, generated from the OpenAPI document; ids are those of no row. */
import type { Endpoint } from '../../src/api/endpoint.ts'
import { type JsonSchema, toInputSchema } from '../../src/http/openapi/schemas.ts'
import type { NamedEndpoint } from './contract.ts'
import { nobodysId } from './tus.ts'

export type Fields = Record<string, JsonSchema>

/** The fields of each form that an input can have; a batch has one form for each group of actions. */
export function inputForms({ input }: Endpoint): Fields[] {
  const schema = toInputSchema(input)
  const forms = (schema.oneOf ?? [schema]) as JsonSchema[]
  return forms.map(form => (form.properties ?? {}) as Fields)
}

/** Sample texts for fields with rules that no type describes, by field name. */
const texts: Record<string, string> = {
  username: 'somebody',
  email: 'somebody@example.org',
  color: '#3B82F6',
  mime_type: 'image/png',
  meta: 'colour:red',
  metadata: '[]',
  actor: 'nobody',
  action: 'file.rename',
  path: '/nowhere',
  key: 'no_such_setting',
  sha256: '0'.repeat(64),
  // Of an upload: all other ids are numbers.
  id: nobodysId,
}

function sampleText(name: string, format: unknown): string {
  if (format === 'date-time') return '2026-01-02T03:04:05.678Z'
  if (format === 'date') return '2026-01-02'
  return texts[name] ?? 'sample text'
}

/** Whether a field accepts any text, so that a long text passes the schema. */
const isText = ({ type, format, enum: choices, anyOf = [] }: JsonSchema): boolean =>
  [type].flat().includes('string')
    ? format === undefined && choices === undefined
    : (anyOf as JsonSchema[]).some(isText)

/** A field of a call that accepts any text, with all fields of its form. */
export interface TextField {
  name: string
  endpoint: Endpoint
  fields: Fields
  field: string
}

/** The fields of these calls that accept any text. */
export const textFieldsOf = (calls: readonly NamedEndpoint[]): TextField[] =>
  calls.flatMap(({ name, endpoint }) =>
    inputForms(endpoint).flatMap(fields =>
      Object.entries(fields)
        .filter(([, schema]) => isText(schema))
        .map(([field]) => ({ name, endpoint, fields, field })),
    ),
  )

/** A value that the field accepts. */
export function sampleValue(name: string, schema: JsonSchema): unknown {
  const [choice] = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]
  if (choice !== undefined) return sampleValue(name, choice)
  // The last value is the one that is valid with every other field.
  if (Array.isArray(schema.enum)) return schema.enum.at(-1)
  if ('const' in schema) return schema.const
  const [type] = [schema.type ?? 'string'].flat()
  if (type === 'integer') return Math.min(999_999_999, (schema.maximum as number | undefined) ?? Infinity)
  if (type === 'boolean') return true
  if (type === 'array') return name === 'metadata' ? [] : [sampleValue(name, (schema.items ?? {}) as JsonSchema)]
  if (type === 'object') return sampleInput((schema.properties ?? {}) as Fields)
  return sampleText(name, schema.format)
}

/** Every field of a form with a value that it accepts; without a cursor, which not every order of a list accepts. */
export const sampleInput = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name !== 'cursor' || !('sort' in fields))
      .map(([name, schema]) => [name, sampleValue(name, schema)]),
  )
