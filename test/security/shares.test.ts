/**
 * Without an account only a link's token, in its own calls, gives access to an item: no other token, password or part of
 * an address does. test/security/links.test.ts has the links.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { failure, openClient } from '../support/client.ts'
import { callOf, contract } from '../support/contract.ts'
import { type BuiltUser, buildFile, buildKey, buildUser, userRolePermissions } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { sourcesWith } from '../support/sources.ts'
import type { TestServer } from '../support/test-server.ts'

const content = 'what nobody without an account may read'

let server: TestServer
let user: BuiltUser
let fileId: number
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  fileId = (await buildFile(user, { name: 'private.txt' }, content)).id
})
afterAll(() => server.close())

test('public routes are in three modules only, and those of visitors in one', () => {
  // test/routes.test.ts lists these routes.
  expect(sourcesWith(/\bpublicRoute\(/).sort()).toEqual([
    'src/http/openapi/routes.ts',
    'src/http/tus.ts',
    'src/users/routes.ts',
  ])
  expect(sourcesWith(/\bguest(Upload)?Route\(/)).toEqual(['src/links/guest-routes.ts'])
})

test('no credential in a URL is accepted', async () => {
  const key = await buildKey(server, user, [...userRolePermissions])
  const session = user.headers.cookie?.split('=')[1] ?? ''
  const claims = [
    `token=${session}`,
    `session=${session}`,
    `filestore_session=${session}`,
    `access_token=${key.keyId}:${key.secret}`,
    `api_key=${key.keyId}&api_secret=${key.secret}`,
    `X-API-Key-ID=${key.keyId}&X-API-Secret=${key.secret}`,
    `auth=${Buffer.from(`${key.keyId}:${key.secret}`).toString('base64')}`,
    `username=${user.username}&password=${user.password}`,
    'share=1&password=',
    'public=true',
  ]
  for (const claim of claims) {
    for (const { endpoint } of contract.filter(
      ({ endpoint: { path } }) => !path.startsWith('/s/') && (path.includes(':id') || path === '/files'),
    )) {
      const path = `/api${endpoint.path.replace(':id', String(fileId))}?${claim}`
      const response = await openClient(server.url, { origin: server.url }).raw(path, { method: endpoint.method })
      expect({ call: callOf(endpoint), claim, status: response.status }).toEqual({
        call: callOf(endpoint),
        claim,
        status: 401,
      })
      // The answer to HEAD has no body.
      if (endpoint.method !== 'HEAD') expect((await failure(response)).error).toBe('unauthenticated')
    }
  }
})

test('no other path of the server serves a file', async () => {
  const ways = [
    's',
    'share',
    'shares',
    'public',
    'dl',
    'd',
    'f',
    'raw',
    'files',
    'view',
    'download',
    'storage',
    'blobs',
  ]
  for (const way of ways) {
    for (const rest of [
      '',
      `/${fileId}`,
      `/${fileId}/download`,
      `/${fileId}/preview`,
      '/private.txt',
      '/AAAAAAAAAAAAAAAAAAAAAA',
    ]) {
      const page = await openClient(server.url).raw(`/${way}${rest}`)
      // A link's page names what is in its address.
      const text = (await page.text()).replaceAll(rest.slice(1) || '/', '')
      expect(text).not.toMatch(/private\.txt|nobody without/)
      const call = await openClient(server.url).raw(`/api/${way}${rest}`)
      expect([401, 404, 405]).toContain(call.status)
      expect(await call.text()).not.toMatch(/private\.txt|nobody without/)
    }
  }
  expect(await (await user.raw(`/api/files/${fileId}/download`)).text()).toBe(content)
})
