/** Alternative spellings of a path: a path that is not spelled as in the contract reaches no call, whoever sends it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFileByPath } from '../../src/api/files.ts'
import { openClient, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { routesOf } from '../support/routes-of.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

let server: TestServer
let owner: BuiltUser
let fileId: number
beforeAll(async () => {
  server = await startServer()
  owner = await buildUser(server, { role: 'admin' })
  fileId = (await buildFile(owner, { name: 'secret.txt' }, 'the secret')).id
})
afterAll(() => server.close())

const encode = (text: string): string => `%${text.charCodeAt(0).toString(16)}`
/** Percent-encodes every character, once or twice. */
const encodeAll = (text: string): string => [...text].map(encode).join('')
const twice = (text: string): string => encodeAll(text).replaceAll('%', '%25')

/**
 * Alternative spellings of a path such as `/api/files/7/download`, each of which some servers treat as the same path;
 * changes only segments from the index `from` on.
 */
function spellings(path: string, from = 0): string[] {
  const segments = path.slice(1).split('/')
  const at = (change: (segment: string) => string) =>
    segments
      .slice(from)
      .map((_, index) => `/${segments.map((one, place) => (place === index + from ? change(one) : one)).join('/')}`)
  return [
    ...at(segment => encode(segment) + segment.slice(1)),
    ...at(encodeAll),
    ...at(twice),
    ...at(segment => `x/../${segment}`),
    ...at(segment => `%2e%2e/${segment}`),
    ...at(segment => `/${segment}`),
    ...at(segment => `${segment};a=b`),
    ...at(segment => `${segment}%00`),
    ...at(segment => segment.toUpperCase()),
    path.replaceAll('/', '\\'),
    path.replaceAll('/', '%2f'),
    `/${path.slice(1).replaceAll('/', '%2f')}`,
    `${path}/`,
    `${path}//`,
    `${path}/.`,
    `${path}/x/..`,
    `${path}%2f`,
    `${path}%3f`,
    `${path}%23`,
    `/assets/..${path}`,
    `/healthz/..${path}`,
    `/index.html${path}`,
  ].filter(one => one !== path)
}

/** The page, which is public, or the secret, or the status. */
async function ask(method: string, path: string, client: TestClient): Promise<string | number> {
  const { status, headers, text } = await sendWire(server.url, {
    method,
    path,
    headers: { ...client.headers, 'content-type': 'application/json' },
    body: method === 'GET' ? undefined : '{}',
  })
  if (text.includes('the secret')) return 'the secret'
  return headers['content-type']?.startsWith('text/html') ? 'page' : status
}

/**
 * The possible results of a misspelled path: no call, the page, or an asset's refusal of the method; 429 for more unknown
 * links than an address may try.
 */
const nowhere = new Set(['page', 400, 404, 405, 429])

describe('a misspelled path of the API', () => {
  test('reaches no call on any route, not even for the owner', async () => {
    const wrong: string[] = []
    for (const { endpoint } of routesOf(server)) {
      const path = `/api${endpoint.path.replace(/:\w+/g, String(fileId))}`
      const tryOne = async (spelling: string) => {
        const got = await ask(endpoint.method, spelling, owner)
        if (!nowhere.has(got)) wrong.push(`${endpoint.method} ${spelling} is ${got}`)
      }
      // The spelling of the base does not depend on the route, so leave it out.
      await Promise.all(spellings(path, 1).map(tryOne))
    }
    expect(wrong).toEqual([])
  })

  test('gives no access that the correct path does not give', async () => {
    const refused: TestClient[] = [
      openClient(server.url),
      openClient(server.url, { cookie: owner.headers.cookie ?? '', origin: 'https://evil.example' }),
      await buildKey(server, owner, ['files:search']),
      await buildUser(server),
      await buildUser(server, { mustChangePassword: true }),
    ]
    const calls: [string, string][] = [
      ['GET', `/api/files/${fileId}/download`],
      ['PUT', `/api/files/${fileId}/trash`],
      ['POST', '/api/users'],
    ]
    const wrong: string[] = []
    for (const client of refused) {
      for (const [method, path] of calls.slice(client.headers.origin?.includes('evil') ? 1 : 0)) {
        for (const spelling of [path, ...spellings(path)]) {
          const got = await ask(method, spelling, client)
          if (got !== 'page' && (typeof got === 'string' || got < 400)) wrong.push(`${method} ${spelling} is ${got}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect((await owner.raw(`/api/files/${fileId}`)).status).toBe(200)
  })

  test('below the public URL’s path is no further way to the API', async () => {
    const below = await startServer({ publicUrl: 'https://example.org/store' })
    try {
      const answer = async (path: string) => {
        const { status, headers } = await sendWire(below.url, { path })
        return headers['content-type']?.startsWith('text/html') ? 'page' : status
      }
      for (const path of ['/store/api/files', '/api/files']) expect(await answer(path)).toBe(401)
      const others = ['/store/store/api/files', '/%73tore/api/files', '/store%2fapi/files', '/STORE/api/files']
      for (const path of [...others, '/store/../api/files', '//api/files', '/store//api/files']) {
        expect([path, await answer(path)]).toEqual([path, 'page'])
      }
    } finally {
      await below.close()
    }
  })
})

describe('a query parameter', () => {
  test('with a path is decoded once: encoded twice it names another file', async () => {
    const folder = await buildFolder(owner, 'a')
    const inner = await buildFile(owner, { name: 'b', parent_id: folder.id })
    const literal = await buildFile(owner, { name: 'a%2Fb' })
    const find = async (query: string) =>
      (await (await owner.raw(`/api/files/by-path?path=${query}`)).json()).data?.file.id
    for (const query of ['/a/b', '%2Fa%2Fb', '%2fa%2fb', '/%61/%62'])
      expect([query, await find(query)]).toEqual([query, inner.id])
    for (const query of ['/a%252Fb', '%2Fa%252Fb']) expect([query, await find(query)]).toEqual([query, literal.id])
    for (const query of ['/a%25252Fb', '/a%5Cb', '/a%c0%afb', '/a%u2215b', '/x/../a/b']) {
      expect([query, await find(query)]).toEqual([query, undefined])
    }
    expect((await owner.call(getFileByPath, { path: literal.path })).file.id).toBe(literal.id)
  })

  test.each(['parent_id', '%70arent_id', 'parent_id[]', 'parent_id%00', 'Parent_id'])(
    'is accepted with one spelling and one value only: %s',
    async name => {
      const foreign = await buildFolder(await buildUser(server))
      const listed = await owner.raw(`/api/files?${name}=${foreign.id}`)
      const both = await owner.raw(`/api/files?parent_id=&${name}=${foreign.id}`)
      expect([400, 404]).toContain(listed.status)
      expect(both.status).toBe(400)
    },
  )
})
