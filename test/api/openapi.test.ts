/** The OpenAPI document: valid, complete, and public. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissionKeys } from '../../src/api/permissions.ts'
import { operations } from '../../src/http/openapi/operations.ts'
import { fieldNotes } from '../../src/http/openapi/texts.ts'
import { callOf, contract } from '../support/contract.ts'
import { buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { routesOf } from '../support/routes-of.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

interface Operation {
  operationId: string
  summary: string
  security: object[]
  'x-permission': string | { all: string[] } | { any: string[] } | null
  parameters?: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[]
  requestBody?: { content: Record<string, { schema: { properties: object; required?: string[] } }> }
  responses: Record<
    string,
    { description: string; headers?: Record<string, object>; content?: Record<string, { schema?: object }> }
  >
}

interface Document {
  openapi: string
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<'schemas' | 'headers' | 'securitySchemes', Record<string, object>>
}

let server: TestServer
let response: Response
let text: string
let document: Document

beforeAll(async () => {
  server = await startServer()
  response = await fetch(`${server.url}/api/openapi.json`)
  text = await response.text()
  document = JSON.parse(text) as Document
})
afterAll(() => server.close())

const described = (): (Operation & { call: string })[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      call: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
    })),
  )

const operationOf = (name: string): Operation => {
  const operation = described().find(({ operationId }) => operationId === name)
  if (operation === undefined) throw new Error(`${name} is not described`)
  return operation
}

describe('the OpenAPI document', () => {
  test('is sent to everyone as JSON, without the envelope', () => {
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(document.openapi).toMatch(/^3\.1\./)
  })

  test('is answered with 304 for a client that has it', async () => {
    const etag = response.headers.get('etag') ?? ''
    const again = await fetch(`${server.url}/api/openapi.json`, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const other = await fetch(`${server.url}/api/openapi.json`, { headers: { 'if-none-match': '"other"' } })
    expect([other.status, await other.text()]).toEqual([200, text])
  })

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(text) as Record<string, unknown>)
    expect(result.errors ?? []).toEqual([])
    expect(result.valid).toBe(true)
  })

  test('resolves every reference, and contains no component without one', () => {
    const referred = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(match => match[1] ?? ''))
    const held = (['schemas', 'headers'] as const).flatMap(kind =>
      Object.keys(document.components[kind]).map(name => `#/components/${kind}/${name}`),
    )
    expect([...referred].sort()).toEqual(held.sort())
    const ways = described().flatMap(({ security }) => security.flatMap(way => Object.keys(way)))
    expect([...new Set(ways)].sort()).toEqual(Object.keys(document.components.securitySchemes).sort())
  })

  test('has the public address as its server', async () => {
    const behind = await startServer({ publicUrl: 'https://files.example.org/store' })
    try {
      const answer = await fetch(`${behind.url}/store/api/openapi.json`)
      expect(((await answer.json()) as Document).servers).toEqual([{ url: 'https://files.example.org/store/api' }])
    } finally {
      await behind.close()
    }
    // Relative, unless the server knows its address.
    expect(['/api', `${server.url}/api`].map(url => [{ url }])).toContainEqual(document.servers)
  })
})

describe('the operations of the document', () => {
  test('are the routes of the server, each once', () => {
    expect(
      described()
        .map(({ call }) => call)
        .sort(),
    ).toEqual(
      routesOf(server)
        .map(({ endpoint }) => callOf(endpoint))
        .sort(),
    )
  })

  test('cover every call of the contract, named as in src/api', () => {
    const nameAndCall = ({ name, endpoint }: (typeof contract)[number]) => `${name}: ${callOf(endpoint)}`
    expect(operations.map(nameAndCall).sort()).toEqual(contract.map(nameAndCall).sort())
    const names = new Map(contract.map(({ name, endpoint }) => [callOf(endpoint), name]))
    for (const { call, operationId } of described()) expect(operationId).toBe(names.get(call))
  })

  test('each have a summary, the needed permission, and a security scheme', () => {
    for (const { call, summary, security, 'x-permission': permission } of described()) {
      expect(summary, call).toMatch(/^\S.*[^.]$/)
      const named = permission === null ? [] : typeof permission === 'string' ? [permission] : Object.values(permission)
      for (const key of named.flat()) expect(permissionKeys, call).toContain(key)
      const isOpen =
        ['POST /auth/login', 'GET /openapi.json', 'OPTIONS /uploads'].includes(call) || call.includes('/s/:token')
      expect(security.length === 0, call).toBe(isOpen)
    }
  })

  test('describe every parameter of their path, and no field that the call refuses', () => {
    for (const { call, parameters = [] } of described()) {
      const inPath = [...call.matchAll(/:(\w+)/g)].map(match => match[1])
      expect(parameters.filter(entry => entry.in === 'path').map(entry => entry.name)).toEqual(inPath)
    }
    expect(operationOf('listFiles').parameters?.map(entry => entry.name)).toEqual([
      'parent_id',
      'sort',
      'order',
      'only',
      'with',
      'limit',
      'cursor',
    ])
    expect(operationOf('getFile').parameters?.[0]?.schema).toEqual({ type: 'integer', minimum: 1 })
  })

  test('describe an upload as multipart with its file, and other bodies as JSON', () => {
    const upload = operationOf('uploadFile').requestBody?.content['multipart/form-data']?.schema
    expect(Object.keys(upload?.properties ?? {})).toContain('file')
    expect(upload?.required).toEqual(['file'])
    expect(operationOf('renameFile').requestBody?.content['application/json']?.schema).toMatchObject({
      required: ['name'],
      additionalProperties: false,
    })
  })

  test('describe answers in the envelope, and the error codes of each status', () => {
    const { responses } = operationOf('renameFile')
    expect(responses[200]?.content?.['application/json']?.schema).toMatchObject({
      properties: { data: { properties: { file: { $ref: '#/components/schemas/FileDetails' } } } },
    })
    expect(responses[403]?.description).toBe('`forbidden`, `password_change_required`, `bad_origin`')
    expect(responses[409]?.description).toBe('`name_taken`')
    expect(Object.keys(operationOf('uploadFile').responses)).toContain('413')
    expect(Object.keys(operationOf('listTags').responses)).not.toContain('409')
    for (const name of ['createRole', 'listAudit']) {
      expect(Object.keys(operationOf(name).responses), 'an unknown id is 400, or finds nothing').not.toContain('404')
    }
  })

  test('name the headers of content, of cached lists, and of rate limits', () => {
    const headersOf = (name: string, status: number) =>
      Object.keys(operationOf(name).responses[status]?.headers ?? {}).sort()
    const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
    const file = ['Accept-Ranges', 'Content-Disposition', 'ETag', 'Last-Modified']
    expect(headersOf('downloadFile', 200)).toEqual([...file, ...limits])
    expect(headersOf('previewFile', 206)).toEqual([...file, 'Content-Range', ...limits].sort())
    expect(headersOf('downloadFile', 416)).toEqual(['Content-Range'])
    expect(headersOf('archiveFolder', 200)).toEqual(['Content-Disposition', ...limits])
    expect(headersOf('listFiles', 304)).toEqual(['ETag', ...limits])
    expect(headersOf('createTag', 201)).toEqual(limits)
    expect(headersOf('createTag', 429)).toEqual([...limits, 'Retry-After'])
    expect(headersOf('createTag', 503)).toEqual(['Retry-After'])
    expect(headersOf('login', 429)).toEqual(['Retry-After'])
    expect(headersOf('listSessions', 200)).toEqual([])
  })

  test('name headers that the server sends', async () => {
    const user = await buildUser(server)
    const key = await buildKey(server, user, ['files:read', 'files:upload', 'files:write'])
    const { id } = await buildFile(key)
    const folder = await buildFolder(key)
    const asked: [name: string, path: string, headers?: Record<string, string>][] = [
      ['downloadFile', `/files/${id}/download`],
      ['downloadFile', `/files/${id}/download`, { range: 'bytes=0-1' }],
      ['downloadFile', `/files/${id}/download`, { range: 'bytes=999999-' }],
      ['previewFile', `/files/${id}/preview`],
      ['archiveFolder', `/files/${folder.id}/archive`],
      ['listFiles', '/files'],
      ['getFile', `/files/${id}`],
    ]
    for (const [name, path, headers] of asked) {
      const answer = await key.raw(`/api${path}`, { headers })
      const described = Object.keys(operationOf(name).responses[answer.status]?.headers ?? {})
      expect(described.length).toBeGreaterThan(0)
      for (const header of described) expect(answer.headers.get(header), `${name}: ${header}`).not.toBeNull()
    }
  })

  test('have notes only for fields that exist', () => {
    expect(Object.keys(fieldNotes).filter(name => !text.includes(`"${name}"`))).toEqual([])
  })
})
