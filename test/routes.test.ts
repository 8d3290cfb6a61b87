/** Walks the whole table of routes over HTTP: no route is open by accident, and none opens another's things. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as auth from '../src/api/auth.ts'
import type { Endpoint } from '../src/api/endpoint.ts'
import * as files from '../src/api/files.ts'
import * as keys from '../src/api/keys.ts'
import { type Permission, permissionKeys } from '../src/api/permissions.ts'
import type { Route } from '../src/http/route.ts'
import { createRoutes } from '../src/http/routes.ts'
import { failure, openClient, type TestClient } from './support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from './support/factories.ts'
import { startServer, type TestServer } from './support/server.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'carrier' in value && 'path' in value
const contract = [auth, files, keys].flatMap(subject => Object.values(subject)).filter(isEndpoint)

const nameOf = (endpoint: Endpoint): string => `${endpoint.method} ${endpoint.path}`

let server: TestServer
let routes: Route[]
let owner: BuiltUser
let other: BuiltUser
let key: { id: number }

beforeAll(async () => {
  server = await startServer()
  routes = createRoutes(server.deps)
  owner = await buildUser(server)
  other = await buildUser(server)
  key = await buildKey(server, owner, ['files:read'])
})
afterAll(() => server.close())

/** Sends a call as somebody; its input is empty but for the id. */
function send(client: TestClient, endpoint: Endpoint, id = 1, origin = true): Promise<Response> {
  const hasBody = endpoint.method === 'PUT' || endpoint.method === 'POST'
  const headers: Record<string, string> = origin ? { origin: server.url } : {}
  if (hasBody) headers['content-type'] = 'application/json'
  return client.raw(`/api${endpoint.path.replace(':id', String(id))}`, {
    method: endpoint.method,
    headers,
    body: hasBody ? '{}' : undefined,
  })
}

const guarded = (): (Route & { kind: 'call' | 'upload' })[] => routes.filter(route => route.kind !== 'public')

describe('the table of routes', () => {
  test('serves every call of the contract exactly once', () => {
    expect(routes.map(route => nameOf(route.endpoint)).sort()).toEqual(contract.map(nameOf).sort())
  })

  test('leaves nothing open but signing in', () => {
    expect(routes.filter(route => route.kind === 'public').map(route => nameOf(route.endpoint))).toEqual([
      'POST /auth/login',
    ])
  })

  test('answers 401 without credentials, and with wrong ones', async () => {
    const anonymous = openClient(server.url)
    const wrongKey = openClient(server.url, { 'x-api-key-id': 'gk_0', 'x-api-secret': 'gs_0' })
    const wrongCookie = openClient(server.url, { cookie: 'filestore_session=forged' })
    for (const client of [anonymous, wrongKey, wrongCookie]) {
      for (const { endpoint } of guarded()) {
        const answer = await failure(await send(client, endpoint))
        expect({ call: nameOf(endpoint), ...answer }).toEqual({
          call: nameOf(endpoint),
          status: 401,
          error: 'unauthenticated',
        })
      }
    }
  })

  test('answers 403 to a key that has every permission but the one that is asked for', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    for (const { endpoint, access } of guarded()) {
      if (access === 'signed-in') continue
      const rest = permissionKeys.filter(permission => permission !== access)
      const client = await buildKey(server, admin, rest)
      const answer = await failure(await send(client, endpoint))
      expect({ call: nameOf(endpoint), ...answer }).toEqual({ call: nameOf(endpoint), status: 403, error: 'forbidden' })
    }
  })

  test('lets a key with that one permission alone through', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    for (const { endpoint, access } of guarded()) {
      if (access === 'session') continue
      const permission: Permission = access === 'signed-in' ? 'tags:read' : access
      const client = await buildKey(server, admin, [permission])
      const { status } = await send(client, endpoint)
      expect({ call: nameOf(endpoint), refused: status === 401 || status === 403 }).toEqual({
        call: nameOf(endpoint),
        refused: false,
      })
    }
  })

  test('answers 404 for the id of another user and for one that nobody has, alike', async () => {
    const folder = await buildFolder(owner)
    const file = await buildFile(owner)
    const trashed = await buildFile(owner)
    await owner.call(files.trashFile, { id: trashed.id })
    const body = { '/files/:id/rename': { name: 'taken over' }, '/files/:id/move': { parent_id: null } }
    for (const { endpoint } of guarded().filter(route => route.endpoint.path.includes(':id'))) {
      const ids = endpoint.path.startsWith('/files') ? [folder.id, file.id, trashed.id, 999_999] : [key.id, 999_999]
      for (const id of ids) {
        const answer = await failure(
          await other.raw(`/api${endpoint.path.replace(':id', String(id))}`, {
            method: endpoint.method,
            headers: { 'content-type': 'application/json' },
            body:
              endpoint.method === 'PUT' ? JSON.stringify(body[endpoint.path as keyof typeof body] ?? {}) : undefined,
          }),
        )
        expect({ call: nameOf(endpoint), ...answer }).toEqual({
          call: nameOf(endpoint),
          status: 404,
          error: 'not_found',
        })
      }
    }
  })

  test('refuses what changes state with a cookie but without a word of where it comes from', async () => {
    const { cookie } = owner.headers
    const bare = openClient(server.url, { cookie: cookie ?? '' })
    for (const { endpoint } of guarded().filter(route => route.endpoint.method !== 'GET')) {
      const answer = await failure(await send(bare, endpoint, 1, false))
      expect({ call: nameOf(endpoint), ...answer }).toEqual({
        call: nameOf(endpoint),
        status: 403,
        error: 'bad_origin',
      })
    }
  })

  test('leaves a user who must change the password nothing but that, the profile and signing out', async () => {
    const forced = await buildUser(server, { mustChangePassword: true })
    const allowed = [auth.getProfile, auth.changePassword, auth.logout].map(nameOf)
    for (const { endpoint } of guarded().filter(route => !allowed.includes(nameOf(route.endpoint)))) {
      const answer = await failure(await send(forced, endpoint))
      expect({ call: nameOf(endpoint), ...answer }).toEqual({
        call: nameOf(endpoint),
        status: 403,
        error: 'password_change_required',
      })
    }
  })
})
