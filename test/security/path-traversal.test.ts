/**
 * Path traversal in every place where a request can hold a path: no request reaches a sentinel file outside the data
 * folder.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Endpoint, pathParams } from '../../src/api/endpoint.ts'
import type { JsonSchema } from '../../src/http/openapi/schemas.ts'
import { endpointOf, sendCall } from '../matrix/send.ts'
import { contract } from '../support/contract.ts'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { inputForms, sampleInput } from '../support/sample-input.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire, type WireAnswer } from '../support/wire.ts'

const words = `sentinel ${randomBytes(16).toString('hex')}`
const outside = await mkdtemp(join(tmpdir(), 'filestore-outside-'))
const sentinel = join(outside, 'sentinel.txt')
await writeFile(sentinel, words)

/** The path to the sentinel from any folder, with other spellings of `../` and `/`. */
const climb = (up: string, slash = '/'): string => up.repeat(16) + sentinel.slice(1).replaceAll('/', slash)

/** Spellings that fit into request lines and headers; the last one holds bytes that are not UTF-8. */
const plain = [
  climb('../'),
  climb('%2e%2e%2f', '%2f'),
  climb('%252e%252e%252f', '%252f'),
  climb('..\\', '\\'),
  climb('..%5c', '%5c'),
  climb('....//'),
  climb('..;/'),
  climb('%c0%ae%c0%ae%c0%af'),
  sentinel,
  `file://${sentinel}`,
  `C:${sentinel.replaceAll('/', '\\')}`,
  `${climb('../')}%00.png`,
  climb('\u00c0\u00ae\u00c0\u00ae\u00c0\u00af'),
]
/** Further spellings for bodies. */
const texts = [...plain, `${climb('../')}\0.png`, climb('．．／', '／'), climb('‥∕', '∕')]

let server: TestServer
let user: BuiltUser
let before: object
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server, { role: 'admin' })
  // Wait for the first sweep, which writes a mark into the store.
  await vi.waitUntil(() => server.deps.store.readMark(), { timeout: 30_000 })
  // The server's secret is made when it is first needed.
  await server.deps.seal()
  before = await readOutside()
})
afterAll(async () => {
  await server.close()
  await rm(outside, { recursive: true })
})

async function readOutside(): Promise<object> {
  const { mtimeMs } = await stat(sentinel)
  const folders = [outside, server.dataDir, join(server.dataDir, 'storage'), join(server.dataDir, 'storage', 'blobs')]
  // SQLite's -wal and -shm files come and go, and each blob creates a folder of two letters.
  const names = await Promise.all(
    folders.map(async path => (await readdir(path)).filter(name => !/-(wal|shm)$|^[0-9a-f]{2}$/.test(name))),
  )
  return { mtimeMs, text: await readFile(sentinel, 'utf8'), names: names.map(each => each.sort()) }
}

const expectShut = async () => expect(await readOutside()).toEqual(before)

/** The fault of an answer, or null. */
function faultOf({ status, text, headers }: WireAnswer): string | null {
  if (text.includes(words) || JSON.stringify(headers).includes(words)) return 'shows the sentinel'
  return status >= 500 ? `is a ${status}` : null
}

/** The fault of an answer from fetch, or null. */
async function faultIn(response: Response): Promise<string | null> {
  const headers = Object.fromEntries(response.headers)
  return faultOf({ status: response.status, text: await response.text(), headers })
}

/** These calls hash a password before any other work, so try fewer texts. */
const hashing = ['login', 'changePassword', 'createUser', 'updateUser']

const isText = ({ type, anyOf, enum: choices }: JsonSchema): boolean =>
  choices === undefined && ([type].flat().includes('string') || ((anyOf ?? []) as JsonSchema[]).some(isText))

/** The text fields of a call, each with a valid input around it. */
const textFields = (endpoint: Endpoint) =>
  inputForms(endpoint).flatMap(fields =>
    Object.entries(fields)
      .filter(([name, schema]) => isText(schema) && !pathParams(endpoint.path).includes(name))
      .map(([name]) => ({ name, input: sampleInput(fields) })),
  )

describe('path traversal', () => {
  test('has no effect in any text of any call', async () => {
    const faults: string[] = []
    for (const { name, endpoint } of contract) {
      for (const field of textFields(endpoint)) {
        const tryOne = async (text: string) => {
          const fault = await faultIn(await sendCall(user, endpoint, { ...field.input, [field.name]: text }))
          if (fault !== null) faults.push(`${field.name} of ${name} = ${text} ${fault}`)
        }
        await Promise.all((hashing.includes(name) ? texts.slice(0, 3) : texts).map(tryOne))
      }
    }
    expect(faults).toEqual([])
    await expectShut()
  })

  test('has no effect in place of an id, and no such call succeeds', async () => {
    const faults: string[] = []
    const withParams = contract.filter(({ endpoint }) => pathParams(endpoint.path).length > 0)
    const below = withParams.map(({ endpoint }) => [endpoint.method, `/api${endpoint.path}`])
    const places = [
      ...below,
      ['GET', '/assets/:x'],
      ['GET', '/:x'],
      ['GET', '/api/:x'],
      ['GET', '/api/files/:x/download'],
    ]
    for (const [method = '', path = ''] of places) {
      for (const form of plain) {
        const answer = await sendWire(server.url, {
          method,
          path: path.replace(/:\w+/g, () => form),
          headers: { ...user.headers, 'content-type': 'application/json' },
          body: method === 'GET' ? undefined : '{}',
        })
        const isPage = answer.headers['content-type']?.startsWith('text/html') ?? false
        const fault = faultOf(answer) ?? (answer.status < 400 && !isPage ? `is a ${answer.status}` : null)
        if (fault !== null) faults.push(`${method} ${path} with ${form} ${fault}`)
      }
    }
    expect(faults).toEqual([])
    await expectShut()
  })

  test('has no effect in the headers of a request', async () => {
    const file = await user.upload('x'.repeat(50_000), { name: 'a.txt' })
    const names = [
      'accept',
      'accept-encoding',
      'accept-language',
      'authorization',
      'content-type',
      'cookie',
      'expect',
      'host',
      'if-modified-since',
      'if-none-match',
      'if-range',
      'origin',
      'range',
      'referer',
      'user-agent',
      'x-api-key-id',
      'x-api-secret',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-prefix',
      'x-forwarded-proto',
      'x-http-method-override',
      'x-original-url',
      'x-rewrite-url',
      'x-request-id',
    ]
    const paths = ['/', `/api/files/${file.id}/preview`]
    const faults: string[] = []
    for (const path of paths) {
      for (const name of names) {
        const tryOne = async (form: string) => {
          const fault = faultOf(await sendWire(server.url, { path, headers: { ...user.headers, [name]: form } }))
          if (fault !== null) faults.push(`${name}: ${form} on ${path} ${fault}`)
        }
        await Promise.all(plain.map(tryOne))
      }
    }
    expect(faults).toEqual([])
    await expectShut()
  })

  test('in the name of an upload gives a harmless name or 400, and its bytes stay in the store', async () => {
    const { path } = endpointOf('uploadFile')
    const folder = await buildFolder(user)
    for (const text of texts) {
      const large = Buffer.alloc(40 * 1024, randomBytes(64))
      const parent = { name: 'parent_id', value: String(folder.id) }
      const part = { name: 'file', fileName: text.replaceAll('\0', '%00'), value: large }
      const bodies = [
        [parent, part],
        [parent, { name: 'name', value: text }, { ...part, fileName: 'x' }],
      ]
      for (const parts of bodies) {
        const request = { method: 'POST', headers: { 'content-type': multipartType }, body: multipartBody(parts) }
        const response = await user.raw(`/api${path}`, request)
        expect([201, 400]).toContain(response.status)
        const { data } = (await response.json()) as { data?: { file: { id: number; path: string } } }
        if (data === undefined) continue
        expect(data.file.path.startsWith(`/${folder.name}/`)).toBe(true)
        const bytes = Buffer.from(await (await user.raw(`/api/files/${data.file.id}/download`)).arrayBuffer())
        expect(bytes.equals(large)).toBe(true)
      }
    }
    await expectShut()
    const blobs = join(server.dataDir, 'storage', 'blobs')
    const stored = (await readdir(blobs, { recursive: true })).filter(name => name.length > 2)
    expect(stored.length).toBeGreaterThan(texts.length / 2)
    expect(stored.filter(name => !/^([0-9a-f]{2})\/\1[0-9a-f]{62}$/.test(name))).toEqual([])
  })
})
