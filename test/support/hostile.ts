/** Invalid values that clients send by mistake or on purpose, and whether the OpenAPI document excludes them. */
import fc from 'fast-check'
import type { JsonSchema } from '../../src/http/openapi/schemas.ts'

const strings = [
  '',
  ' ',
  'null',
  'true',
  '1e3',
  ' 1',
  '1 ',
  '01',
  '0x1',
  '+1',
  '-1',
  '1.5',
  '1e20',
  '9007199254740993',
  '٣',
  'NaN',
  'Infinity',
  '__proto__',
  'constructor',
  'toString',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfffb',
  '\u202e\u200b',
  // In a URL, the text must fit into 32 KB together with the headers.
  'x'.repeat(20_000),
  'é'.repeat(256),
  '\u0301'.repeat(2000),
  '😀'.repeat(300),
  '%',
  "' OR 1=1 --",
  '../../etc/passwd',
  '{"a":1}',
  '[{"field_id":1e20,"value":"x"}]',
  '2024-02-30',
  '0000-01-01',
  '9999-12-31',
  '0000-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  'image/',
  'name:value',
]

/** Numbers that are no id of any row. */
const numbers = [
  0,
  -1,
  1.5,
  1e-7,
  2 ** 31,
  2 ** 32,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  1e20,
  Number.MAX_VALUE,
  -(2 ** 63),
]

/** Keys with a meaning in JavaScript, and keys that differ from a field's name only in case. */
export const hostileKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'ID',
  'Name',
  '',
  ' ',
]

/** The object with one more own key, even `__proto__`, like JSON.parse would create it. */
export const withKey = (object: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> =>
  JSON.parse(
    `{${[...Object.entries(object), [key, value]].map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`).join()}}`,
  ) as Record<string, unknown>

/** Any code points, even halves of pairs. `fc.string` would make a table of all million of them first. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 300 })
  .map(points => String.fromCodePoint(...points))

export const hostileText = fc.oneof(fc.constantFrom(...strings), anyText)

/** Any JSON value made of these texts, numbers and keys, nested a few levels. */
export const hostileValue = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(...numbers, null, true, false),
    hostileText,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .tuple(fc.constantFrom(...hostileKeys, 'field_id', 'value', 'id'), tie('value'))
      .map(([key, value]) => withKey({}, key, value)),
  ),
})).value

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number'
  return typeof value
}

const isDateFormat = (format: unknown): boolean => format === 'date' || format === 'date-time'

function breaksBounds(schema: JsonSchema, value: unknown): boolean {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    minLength = 0,
    maxLength = Infinity,
  } = schema as Record<string, number>
  const {
    minItems = 0,
    maxItems = Infinity,
    items,
  } = schema as { minItems?: number; maxItems?: number; items?: JsonSchema }
  if (typeof value === 'number') return value < minimum || value > maximum
  if (typeof value === 'string') {
    const length = [...value].length
    return length < minLength || length > maxLength || (isDateFormat(schema.format) && !/^\d{4}-/.test(value))
  }
  if (!Array.isArray(value)) return false
  return (
    value.length < minItems || value.length > maxItems || value.some(one => items !== undefined && isWrong(items, one))
  )
}

/**
 * Whether a schema of the OpenAPI document certainly excludes a value; it does not check patterns and rules beyond
 * types.
 */
export function isWrong(schema: JsonSchema, value: unknown): boolean {
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices !== undefined) return choices.every(choice => isWrong(choice, value))
  if (Array.isArray(schema.enum)) return !schema.enum.includes(value)
  if ('const' in schema) return schema.const !== value
  const types = [schema.type ?? []].flat() as string[]
  if (types.length > 0 && !types.includes(typeOf(value))) return true
  return breaksBounds(schema, value)
}

/** Whether a schema excludes a text in a path, a query or a form, where a number is written in digits. */
export function isWrongText(schema: JsonSchema, text: string): boolean {
  const types = [schema.type ?? []].flat() as string[]
  if (!types.includes('integer')) return isWrong(schema, text)
  if (types.includes('null') && (text === '' || text === 'null')) return false
  return !/^(0|[1-9]\d*)$/.test(text) || isWrong(schema, Number(text))
}
