/** Security headers of every answer, whichever part of the server sends it. */
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
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

/** The headers that Helmet sets by default, except that frames and referrers are stricter. */
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

/** [description, path, Content-Security-Policy] */
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
  test.each(answers)('has the security headers: %s', async (_what, pathOf, policy) => {
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const { headers, body } = await user.raw(pathOf(), { method })
      await body?.cancel()
      expect(Object.fromEntries(headers)).toMatchObject(always)
      if (method !== 'PUT') expect(headers.get('content-security-policy')).toMatch(policy)
      for (const name of ['x-powered-by', 'strict-transport-security']) expect(headers.has(name)).toBe(false)
      // A balancer in front of several servers may name itself.
      expect(headers.get('server') ?? 'nginx').toMatch(/^nginx/)
    }
  })

  test('with a script has the policy of its page, because a worker uses the policy of its own file', async () => {
    const [path = ''] = /assets\/[\w.-]+\.js/.exec(await (await user.raw('/')).text()) ?? []
    const { headers, body } = await user.raw(`/${path}`)
    await body?.cancel()
    expect(Object.fromEntries(headers)).toMatchObject(always)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';")
    expect(policy).not.toMatch(/'unsafe-(eval|inline)'|\*|http/)
  })

  test('to invalid HTTP has the security headers, too', async context => {
    onlyOneServer('proxy', context)
    const socket = await openSocket(server.url)
    socket.write('nonsense\r\n\r\n')
    const answer = (await text(socket)).toLowerCase()
    for (const [name, value] of Object.entries(always)) expect(answer).toContain(`${name}: ${value.toLowerCase()}\r\n`)
  })

  test('has Strict-Transport-Security only if the public URL is HTTPS', async () => {
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
