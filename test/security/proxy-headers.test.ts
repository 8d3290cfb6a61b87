/** Proxy headers count only from listed proxies, for rate limits, audit log and cookies. */
import { afterAll, describe, expect, test } from 'vitest'
import type { Flags } from '../../src/config-options.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire, type WireAnswer } from '../support/wire.ts'

type Headers = Record<string, string>

/** One server for each set of flags that the tests use. */
const servers = new Map<string, Promise<TestServer>>()
afterAll(async () => {
  for (const server of servers.values()) await (await server).close()
})

function serverWith(flags: Flags): Promise<TestServer> {
  const name = JSON.stringify(flags)
  const server = servers.get(name) ?? startServer(flags)
  servers.set(name, server)
  return server
}

const signIn = (to: TestServer, headers: Headers, username = to.adminName, password = to.adminPassword) =>
  sendWire(to.url, {
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ username, password }),
  })

const cookieOf = (answer: WireAnswer): string => answer.headers['set-cookie']?.[0] ?? ''

/** Signs in with these headers on a server with these flags; also returns the address of the new session. */
async function signInAt(flags: Flags, headers: Headers) {
  const server = await serverWith(flags)
  const answer = await signIn(server, headers)
  const row = await server.deps.db.row<{ address: string }>('SELECT address FROM sessions ORDER BY id DESC LIMIT 1')
  return { server, answer, address: row?.address }
}

/** All headers in which proxies send the address of the client. */
const claims = (address: string): Headers => ({
  'x-forwarded-for': address,
  forwarded: `for=${address};proto=https;host=203.0.113.80`,
  'x-real-ip': address,
  'x-client-ip': address,
  'x-cluster-client-ip': address,
  'cf-connecting-ip': address,
  'true-client-ip': address,
  'x-original-forwarded-for': address,
  'x-remote-addr': address,
})

const forwarded = {
  ...claims('203.0.113.9'),
  'x-forwarded-proto': 'https',
  'x-forwarded-host': '203.0.113.80',
  'x-forwarded-ssl': 'on',
  'front-end-https': 'on',
}

/** Flags that list no proxy, or not the test's address, 127.0.0.1. */
const untrusting: Flags[] = [{}, { trustProxy: '10.0.0.0/8, ::2' }]

describe('proxy headers from an unlisted peer', () => {
  test.each(untrusting)('change neither the address nor the cookie, with %j', async flags => {
    const { server, answer, address } = await signInAt(flags, forwarded)
    expect(address).toBe('127.0.0.1')
    expect(cookieOf(answer)).not.toMatch(/secure/i)
    expect(answer.headers['strict-transport-security']).toBeUndefined()
    expect((await signIn(server, { ...forwarded, origin: 'https://203.0.113.80' })).status).toBe(403)
    expect((await signIn(server, { ...forwarded, origin: server.url })).status).toBe(200)
  })

  test.each(untrusting)('change neither the rate limits nor the address in the audit log, with %j', async flags => {
    const server = await serverWith(flags)
    const name = `tried-${untrusting.indexOf(flags)}`
    for (let round = 0; round < 10; round++) {
      expect((await signIn(server, claims(`198.51.100.${round}`), name, 'wrong password')).status).toBe(401)
    }
    expect((await signIn(server, claims('198.51.100.99'), name, 'wrong password')).status).toBe(429)
    await server.deps.journal.flush()
    const rows = await server.deps.db.rows<{ address: string }>(
      "SELECT DISTINCT address FROM events WHERE action LIKE 'session.%'",
    )
    expect(rows).toEqual([{ address: '127.0.0.1' }])
  })
})

describe('proxy headers from a listed proxy', () => {
  test('set the address, the scheme and the host', async () => {
    const { server, answer, address } = await signInAt({ trustProxy: '127.0.0.0/8' }, forwarded)
    expect(address).toBe('203.0.113.9')
    expect(cookieOf(answer)).toMatch(/; secure; httponly$/)
    expect(answer.headers['strict-transport-security']).toBeDefined()
    expect((await signIn(server, { ...forwarded, origin: 'https://203.0.113.80' })).status).toBe(200)
    expect((await signIn(server, { ...forwarded, origin: server.url })).status).toBe(403)
  })

  test('name the last address that is not a listed proxy as the client, whatever the client claims', async () => {
    const flags = { trustProxy: '127.0.0.1,10.0.0.0/8' }
    const chain = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9, 10.1.2.3' }
    expect((await signInAt(flags, chain)).address).toBe('203.0.113.9')
    const claimed = { ...claims('198.51.100.1'), 'x-forwarded-for': '127.0.0.1, 10.0.0.1, 203.0.113.9' }
    expect((await signInAt(flags, claimed)).address).toBe('203.0.113.9')
  })

  test.each(['unknown', '203.0.113.9:4711', '_hidden', 'x'.repeat(500), ''])(
    'without a valid address are ignored: %s',
    async value => {
      const { answer, address } = await signInAt({ trustProxy: '127.0.0.1' }, { 'x-forwarded-for': value })
      expect(answer.status).toBe(200)
      expect(address).toBe('127.0.0.1')
    },
  )

  test('give each client a rate limit of its own', async () => {
    const server = await serverWith({ trustProxy: '127.0.0.1' })
    const wrong = (client: string) => signIn(server, { 'x-forwarded-for': client }, 'admin', 'wrong password')
    for (let round = 0; round < 10; round++) expect((await wrong('203.0.113.1')).status).toBe(401)
    expect((await wrong('203.0.113.1')).status).toBe(429)
    expect((await wrong('203.0.113.2')).status).toBe(401)
  })
})

describe('a public URL with https', () => {
  test('makes cookies secure without any proxy header', async () => {
    const { answer } = await signInAt({ publicUrl: 'https://files.example.org' }, {})
    expect(cookieOf(answer)).toMatch(/; secure; httponly$/)
    expect(answer.headers['strict-transport-security']).toBeDefined()
  })
})
