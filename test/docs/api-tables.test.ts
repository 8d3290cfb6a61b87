/** The tables of docs/api.md match the contract and the server. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorStatus } from '../../src/api/errors.ts'
import * as limits from '../../src/api/limits.ts'
import { permissionKeys } from '../../src/api/permissions.ts'
import { settingKeys } from '../../src/api/settings.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { chapters, codeWords, documentText, rowsOf, tables } from './document.ts'

interface Schema {
  $ref?: string
  type?: string
  enum?: string[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
}

interface Operation {
  summary: string
  security: Record<string, unknown>[]
  'x-permission': string | { all: string[] } | { any: string[] } | null
  parameters?: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

let server: TestServer
let operations: (Operation & { call: string })[]
let schemas: Record<string, Schema>

beforeAll(async () => {
  server = await startServer()
  const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
  }
  schemas = document.components.schemas
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, call: `${method.toUpperCase()} ${path}` })),
  )
})
afterAll(() => server.close())

const nameOf = ({ $ref = '' }: Schema): string => $ref.split('/').at(-1) ?? ''
const inCode = (names: string[]): string => names.map(name => `\`${name}\``).join(' ')
const propertiesOf = (schema: Schema): string => inCode(Object.keys(schema.properties ?? {}))

/** The schemas of a body: one, or one for each action of a batch. */
const formsOf = ({ requestBody }: Operation): Schema[] => {
  const { schema } = Object.values(requestBody?.content ?? {})[0] ?? {}
  return schema === undefined ? [] : (schema.oneOf ?? [schema])
}

/** Every field of a call besides its path, with a `?` where it is optional. */
function fieldsOf(operation: Operation): string {
  const query = (operation.parameters ?? []).filter(parameter => parameter.in === 'query')
  const forms = formsOf(operation)
  const names = [...new Set(forms.flatMap(form => Object.keys(form.properties ?? {})))]
  return inCode([
    ...query.map(({ name, required }) => (required ? name : `${name}?`)),
    ...names.map(name => (forms.every(({ required }) => required?.includes(name)) ? name : `${name}?`)),
  ])
}

function dataOf({ call, responses }: Operation & { call: string }): string {
  const content = (responses[200] ?? responses[201])?.content?.['application/json']
  const data = content?.schema?.properties?.data
  const isEmpty = [200, 201, 204].some(status => responses[status] !== undefined && !responses[status].content)
  if (isEmpty) return 'headers'
  if (data === undefined) return call.endsWith('/openapi.json') ? 'the document' : 'bytes'
  if (data.$ref !== undefined) return inCode([nameOf(data)])
  if (data.oneOf !== undefined) return data.oneOf.map(one => inCode([nameOf(one)])).join(' or ')
  if (data.type === 'null') return '`null`'
  if (data.items !== undefined) {
    return `list of ${data.items.$ref === undefined ? propertiesOf(data.items) : inCode([nameOf(data.items)])}`
  }
  return inCode(Object.keys(data.properties ?? {}).map(name => (data.required?.includes(name) ? name : `${name}?`)))
}

function permissionOf({ call, security, 'x-permission': permission }: Operation & { call: string }): string {
  if (call.includes(' /s/')) return 'a link'
  if (security.length === 0) return 'open to all'
  if (permission === null) return security.length === 1 ? 'session' : 'any key'
  if (typeof permission === 'string') return inCode([permission])
  const [word, keys] = 'all' in permission ? ['and', permission.all] : ['or', permission.any]
  return keys.map(key => inCode([key])).join(` ${word} `)
}

describe('docs/api.md', () => {
  test('has the parts that the web app shows as tabs', () => {
    for (const tab of ['Overview', 'Authentication', 'Code Examples', 'Permissions']) expect(chapters).toContain(tab)
  })

  test('lists every call with its fields, answer and permission', () => {
    const rows = tables.filter(({ chapter, rows: [first] }) => chapter === 'Endpoints' && first?.length === 5)
    const described = operations.map(operation => [
      `\`${operation.call}\``,
      operation.summary,
      fieldsOf(operation),
      dataOf(operation),
      permissionOf(operation),
    ])
    expect(rows.flatMap(table => table.rows).sort()).toEqual(described.sort())
  })

  test('lists the objects of the answers with all their fields', () => {
    const shown = new Set(['Error', 'FileItem', 'FileDetails'])
    const objects = Object.entries(schemas).filter(([name, { properties }]) => properties && !shown.has(name))
    const described = objects.map(([name, schema]) => [`\`${name}\``, propertiesOf(schema)])
    expect(rowsOf('Objects').sort()).toEqual(described.sort())
  })

  test('explains only existing fields, with all their choices', () => {
    const rows = rowsOf('Fields').map(([names = '', text = '']) => ({ names: codeWords(names), text }))
    const inputs = operations.flatMap(operation => [
      ...(operation.parameters ?? []).map(({ name, schema }): [string, Schema] => [name, schema]),
      ...formsOf(operation).flatMap(form => Object.entries(form.properties ?? {})),
    ])
    for (const name of rows.flatMap(row => row.names)) expect(inputs.map(([input]) => input)).toContain(name)
    for (const [name, schema] of inputs) {
      const texts = rows.filter(({ names }) => names.includes(name)).map(({ text }) => text)
      for (const choice of schema.enum ?? []) expect(texts.join(), name).toContain(`\`${choice}\``)
    }
  })

  test('names every setting', () => {
    const [, text = ''] = rowsOf('Fields').find(([name]) => name === '`value`') ?? []
    expect(codeWords(text).filter(word => word.includes('_'))).toEqual(settingKeys)
  })

  test('lists every permission once and in order, and names only existing calls', () => {
    expect(rowsOf('Permissions').map(([key]) => key)).toEqual(permissionKeys.map(key => `\`${key}\``))
    const calls = operations.map(({ call }) => call)
    const named = [...documentText.matchAll(/`((?:GET|POST|PUT|DELETE) [^`?]+)/g)].map(([, call]) => call)
    for (const call of named) expect(calls).toContain(call)
  })

  test('names the right permission beside each call', () => {
    for (const [permission = '', text = ''] of rowsOf('Permissions')) {
      for (const call of codeWords(text).filter(word => word.includes('/'))) {
        const operation = operations.find(each => each.call === call)
        expect(operation && permissionOf(operation), call).toContain(permission)
      }
    }
  })

  test('lists every error code with its status', () => {
    const listed = rowsOf('Errors').flatMap(([statuses = '', codes = '']) => {
      const numbers = statuses.split(', ').map(Number)
      return codeWords(codes).map((code, index) => [code, numbers[index] ?? numbers[0]])
    })
    expect(listed).toEqual(Object.entries(errorStatus))
  })

  test('states the current limits', () => {
    const rows = new Map(rowsOf('Limits').map(([what = '', much = '']) => [what, much]))
    const number = (value: number) => value.toLocaleString('en')
    const rates = ({ minute, hour, day }: Record<'minute' | 'hour' | 'day', number>) =>
      `${number(minute)} a minute, ${number(hour)} an hour, ${number(day)} a day`
    const expected: [string, string][] = [
      ['requests of a key', rates(limits.defaultRateLimits)],
      ['requests that a key can be given', `up to ${rates(limits.maxRateLimits)}`],
      ['a file', `${limits.defaultMaxFileSize / 1024 ** 2} MB`],
      ['a JSON body', `${limits.maxJsonBytes / 1024} KB, ${limits.maxJsonDepth} levels deep`],
      ['a JSON body', `with ${number(limits.maxJsonValues)} values`],
      ['a JSON body', `a metadata field ${limits.maxLongJsonBytes / 1024 ** 2} MB`],
      ['ids in one batch, tagging or archive', number(limits.maxBatchSize)],
      ['entries on a page', `${number(limits.maxPageSize)}; ${number(limits.wholeListSize)} without`],
      ['a name', `${limits.maxNameBytes} bytes`],
      ['folders in each other', String(limits.maxTreeDepth)],
      ['a text to search for', `at least ${limits.minSearchLength} characters`],
      ['the trash', `after ${limits.defaultTrashRetentionDays} days`],
    ]
    for (const [what, much] of expected) expect(rows.get(what), what).toContain(much)
    expect(documentText).toContain(`but ${limits.maxDeviceKeyRequests} requests at once`)
    expect(documentText).toContain(`counts up to ${number(limits.maxCountedHits)}`)
  })

  test('links only to existing parts', () => {
    const anchors = [...documentText.matchAll(/^###? (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    )
    for (const [, anchor] of documentText.matchAll(/\]\(#([^)]+)\)/g)) expect(anchors).toContain(anchor)
  })
})
