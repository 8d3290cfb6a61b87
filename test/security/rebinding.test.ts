/**
 * DNS rebinding: the owner of a host name can point it at the server, and browsers treat a page there as the same
 * origin. Without a public URL, only host names that nobody else can register may be used.
 */
import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltUser, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire, type WireAnswer } from '../support/wire.ts'

type Headers = Record<string, string>

let server: TestServer
let named: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  named = await startServer({ publicUrl: 'http://files.example.org:8080' })
  user = await buildUser(server)
})
afterAll(async () => {
  await server.close()
  await named.close()
})

const ownHosts = [
  '192.168.1.20:8080',
  '[fd00::20]:8080',
  'localhost:8080',
  'LOCALHOST.',
  'files.localhost',
  hostname(),
  `${hostname()}.local:8080`,
]
const foreignHosts = [
  'evil.example:8080',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'evillocalhost',
  'evil.local',
  `${hostname()}.evil.example`,
  'a b',
]

const post = (to: TestServer, path: string, body: object, headers: Headers): Promise<WireAnswer> =>
  sendWire(to.url, {
    method: 'POST',
    path: `/api${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const makeFolder = (headers: Headers) => post(server, '/files/folders', { name: `folder ${Math.random()}` }, headers)
const signIn = (headers: Headers, to = server) =>
  post(to, '/auth/login', { username: to.adminName, password: to.adminPassword }, headers)

/** The headers that a page at this host name makes a browser send. */
const pageAt = (host: string): Headers => ({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })

const refusal = { success: false, error: 'bad_origin', message: expect.stringContaining('--public-url') }

describe('a server without a public URL', () => {
  test.each(ownHosts)(
    'accepts sign-ins and changes from a page at a host name that nobody else can register: %s',
    async host => {
      expect((await signIn(pageAt(host))).status).toBe(200)
      expect((await signIn({ host })).status).toBe(200)
      const { cookie = '' } = user.headers
      expect((await makeFolder({ ...pageAt(host), cookie })).status).toBe(201)
    },
  )

  test.each(foreignHosts)(
    'refuses sign-ins and changes from a page at any other host name, and names --public-url: %s',
    async host => {
      const { cookie = '' } = user.headers
      for (const answer of [
        await signIn(pageAt(host)),
        await signIn({ host, origin: `http://${host}` }),
        await signIn({ host, 'sec-fetch-site': 'same-origin' }),
        await signIn({ host, cookie }),
        await makeFolder({ ...pageAt(host), cookie }),
      ]) {
        expect(answer.status).toBe(403)
        expect(JSON.parse(answer.text)).toMatchObject(refusal)
        expect(answer.text).not.toContain(host)
      }
    },
  )

  test('accepts a sign-in of a program at any host name, because no page can send such a request', async () => {
    expect((await signIn({ host: 'nas:8080' })).status).toBe(200)
  })

  test.each(foreignHosts)('accepts an API key at any host name: %s', async host => {
    const key = await buildKey(server, user, ['files:write'])
    expect((await makeFolder({ ...key.headers, host })).status).toBe(201)
  })
})

test('a server with a public URL accepts its origin only, whatever the Host header', async () => {
  const origin = 'http://files.example.org:8080'
  for (const host of [...ownHosts, 'files.example.org:8080', 'backend.internal']) {
    expect((await signIn({ host, origin }, named)).status).toBe(200)
    expect((await signIn({ host }, named)).status).toBe(200)
    expect((await signIn({ host, origin: 'http://evil.example' }, named)).status).toBe(403)
  }
  expect((await signIn(pageAt('evil.example'), named)).status).toBe(403)
})
