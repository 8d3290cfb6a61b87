/** What browsers are told of every answer, whichever part of the server gives it. */
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, sendWire } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
let fileId: number
let folderId: number
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  fileId = (await buildFile(user, { name: 'a.html' })).id
  folderId = (await buildFolder(user)).id
})
afterAll(() => server.close())

/** What Helmet sets by itself, some of it stricter: its frames may be of the same origin, its referrers are none. */
const always = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** [what it is, its path, its policy] */
const answers: [string, () => string, RegExp][] = [
  ['the page', () => '/', /^default-src 'self'; .*frame-ancestors 'none'$/],
  ['what is no asset', () => '/assets/none.js', /^default-src 'none'; frame-ancestors 'none'$/],
  ['health', () => '/healthz', /^default-src 'none'/],
  ['figures', () => '/metrics', /^default-src 'none'/],
  ['a list', () => '/api/files', /^default-src 'none'; frame-ancestors 'none'$/],
  ['a failure', () => '/api/nothing', /^default-src 'none'/],
  ['the document of the API', () => '/api/openapi.json', /^default-src 'none'/],
  ['a preview', () => `/api/files/${fileId}/preview`, /^sandbox; default-src 'none'/],
  ['a download', () => `/api/files/${fileId}/download`, /^sandbox; default-src 'none'/],
  ['a ZIP', () => `/api/files/${folderId}/archive`, /^default-src 'none'/],
]

describe('every answer', () => {
  test.each(answers)('tells a browser to be careful: %s', async (_what, pathOf, policy) => {
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const { headers, body } = await user.raw(pathOf(), { method })
      await body?.cancel()
      expect(Object.fromEntries(headers)).toMatchObject(always)
      if (method !== 'PUT') expect(headers.get('content-security-policy')).toMatch(policy)
      for (const name of ['x-powered-by', 'server', 'strict-transport-security']) expect(headers.has(name)).toBe(false)
    }
  })

  test('of a script lets it do no more than its page: a worker has its own policy', async () => {
    const [path = ''] = /assets\/[\w.-]+\.js/.exec(await (await user.raw('/')).text()) ?? []
    const { headers, body } = await user.raw(`/${path}`)
    await body?.cancel()
    expect(Object.fromEntries(headers)).toMatchObject(always)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';")
    expect(policy).not.toMatch(/'unsafe-(eval|inline)'|\*|http/)
  })

  test('says so even to what is no request', async () => {
    const socket = await openSocket(server.url)
    socket.write('nonsense\r\n\r\n')
    const answer = (await text(socket)).toLowerCase()
    for (const [name, value] of Object.entries(always)) expect(answer).toContain(`${name}: ${value.toLowerCase()}\r\n`)
  })

  test('asks for HTTPS where that is how users come, and there alone', async () => {
    const secure = await startServer({ publicUrl: 'https://files.example.org' })
    try {
      for (const path of ['/', '/api/files', '/healthz']) {
        const { headers, body } = await openClient(secure.url).raw(path)
        await body?.cancel()
        expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
      }
    } finally {
      await secure.close()
    }
    const forged = await sendWire(server.url, { path: '/', headers: { 'x-forwarded-proto': 'https' } })
    expect(forged.headers).not.toHaveProperty('strict-transport-security')
  })
})
