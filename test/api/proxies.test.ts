/** Proxies: what X-Forwarded-* say counts only from those that are listed. */
import { afterEach, describe, expect, test } from 'vitest'
import type { Flags } from '../../src/config.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { sendWire, type WireAnswer } from '../support/wire.ts'

let server: TestServer
afterEach(() => server.close())

const signIn = (headers: Record<string, string>): Promise<WireAnswer> =>
  sendWire(server.url, {
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ username: server.adminName, password: server.adminPassword }),
  })

const cookieOf = (answer: WireAnswer): string => answer.headers['set-cookie']?.[0] ?? ''
const lastAddress = async () =>
  (await server.deps.db.row<{ address: string }>('SELECT address FROM sessions ORDER BY id DESC LIMIT 1'))?.address

/** Signs in through `headers` on a server started with `flags`. */
async function signInAt(flags: Flags, headers: Record<string, string>) {
  server = await startServer(flags)
  const answer = await signIn(headers)
  return { answer, address: await lastAddress() }
}

const forwarded = {
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'files.example',
}

describe('headers of a proxy', () => {
  test('are ignored from a peer that is not listed', async () => {
    const { answer, address } = await signInAt({}, forwarded)
    expect(address).toBe('127.0.0.1')
    expect(cookieOf(answer)).not.toMatch(/secure/i)
    expect(answer.headers['strict-transport-security']).toBeUndefined()
  })

  test('are ignored from a peer outside the listed range', async () => {
    const { answer, address } = await signInAt({ trustProxy: '10.0.0.0/8, ::2' }, forwarded)
    expect(address).toBe('127.0.0.1')
    expect(cookieOf(answer)).not.toMatch(/secure/i)
  })

  test('count from a listed one: address, scheme and host', async () => {
    const { answer, address } = await signInAt({ trustProxy: '127.0.0.0/8' }, forwarded)
    expect(address).toBe('203.0.113.9')
    expect(cookieOf(answer)).toMatch(/; secure; httponly$/)
    expect(answer.headers['strict-transport-security']).toBeDefined()
    expect((await signIn({ ...forwarded, origin: 'https://files.example' })).status).toBe(200)
    expect((await signIn({ ...forwarded, origin: server.url })).status).toBe(403)
  })

  test('name as the client the last address that no listed proxy has', async () => {
    const chain = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9, 10.1.2.3' }
    expect((await signInAt({ trustProxy: '127.0.0.1,10.0.0.0/8' }, chain)).address).toBe('203.0.113.9')
  })

  test.each(['unknown', '203.0.113.9:4711', '_hidden', 'x'.repeat(500), ''])(
    'that hold no address leave the peer’s: %s',
    async value => {
      const { answer, address } = await signInAt({ trustProxy: '127.0.0.1' }, { 'x-forwarded-for': value })
      expect(answer.status).toBe(200)
      expect(address).toBe('127.0.0.1')
    },
  )

  test('keep the limits of different clients apart', async () => {
    server = await startServer({ trustProxy: '127.0.0.1' })
    const wrong = (client: string) =>
      sendWire(server.url, {
        method: 'POST',
        path: '/api/auth/login',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
        body: JSON.stringify({ username: 'admin', password: 'wrong password' }),
      })
    for (let round = 0; round < 10; round++) expect((await wrong('203.0.113.1')).status).toBe(401)
    expect((await wrong('203.0.113.1')).status).toBe(429)
    expect((await wrong('203.0.113.2')).status).toBe(401)
  })
})

describe('a public URL of https', () => {
  test('makes cookies secure without any proxy header', async () => {
    const { answer } = await signInAt({ publicUrl: 'https://files.example.org' }, {})
    expect(cookieOf(answer)).toMatch(/; secure; httponly$/)
    expect(answer.headers['strict-transport-security']).toBeDefined()
  })
})
