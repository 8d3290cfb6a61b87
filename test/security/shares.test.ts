/**
 * Nothing is shared by an address: there is no link, token or password that opens somebody's item without an account.
 * Whoever adds one must begin here: one guard for every route of it, and each way past it a test.
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

test('no call is about a share, and those that are open to all come from two places alone', () => {
  const calls = contract.map(({ name, endpoint }) => `${name} ${endpoint.path}`)
  expect(calls.filter(call => /share|link|public|guest|anonymous/i.test(call))).toEqual([])
  // What they are, test/routes.test.ts tells.
  expect(sourcesWith(/\bpublicRoute\(/).sort()).toEqual(['src/http/openapi/routes.ts', 'src/users/routes.ts'])
})

test('no credential in an address opens a call', async () => {
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
      one => one.endpoint.path.includes(':id') || one.endpoint.path === '/files',
    )) {
      const path = `/api${endpoint.path.replace(':id', String(fileId))}?${claim}`
      const response = await openClient(server.url, { origin: server.url }).raw(path, { method: endpoint.method })
      const outcome = { call: callOf(endpoint), claim, ...(await failure(response)) }
      expect(outcome).toEqual({ call: callOf(endpoint), claim, status: 401, error: 'unauthenticated' })
    }
  }
})

test('no other address of the server gives a file, whatever stands in it', async () => {
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
      expect(await page.text()).not.toMatch(/private\.txt|nobody without/)
      const call = await openClient(server.url).raw(`/api/${way}${rest}`)
      expect([401, 404, 405]).toContain(call.status)
      expect(await call.text()).not.toMatch(/private\.txt|nobody without/)
    }
  }
  expect(await (await user.raw(`/api/files/${fileId}/download`)).text()).toBe(content)
})
