/**
 * Sends every route of the table over HTTP: no route is public by accident. test/matrix tests the permissions of each.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as auth from '../src/api/auth.ts'
import { type Endpoint, isSafe } from '../src/api/endpoint.ts'
import type { Route } from '../src/route.ts'
import { failure, openClient, type TestClient } from './support/client.ts'
import { callOf, contract } from './support/contract.ts'
import { buildKey, buildUser } from './support/factories.ts'
import { routesOf } from './support/routes-of.ts'
import { startServer } from './support/server.ts'
import type { TestServer } from './support/test-server.ts'
import { isTus, tusRequest } from './support/tus.ts'

let server: TestServer
let routes: Route[]

beforeAll(async () => {
  // Each request comes from another address: one may send a hundred wrong keys a minute, and there are more calls.
  server = await startServer({ trustProxy: '127.0.0.1' })
  routes = routesOf(server)
})
afterAll(() => server.close())

let sent = 0

/** Sends a call with an input that is empty except for the parameters of the path. */
function send(client: TestClient, endpoint: Endpoint): Promise<Response> {
  sent += 1
  const address = { 'x-forwarded-for': `192.0.2.${sent % 250}` }
  if (isTus(endpoint)) {
    const { path, ...request } = tusRequest(endpoint, { id: '1' })
    return client.raw(path, { ...request, headers: { ...request.headers, ...address } })
  }
  const hasBody = endpoint.method === 'PUT' || endpoint.method === 'POST'
  return client.raw(`/api${endpoint.path.replace(/:\w+/g, '1')}`, {
    method: endpoint.method,
    headers: hasBody ? { ...address, 'content-type': 'application/json' } : address,
    body: hasBody ? '{}' : undefined,
  })
}

/** Calls of users; test/matrix/visitors.test.ts has those of links' visitors. */
const guarded = (): Endpoint[] => routes.filter(route => 'access' in route).map(route => route.endpoint)

/** Sends each call and compares all failures at once. */
async function expectFailures(
  client: TestClient,
  endpoints: readonly Endpoint[],
  status: number,
  error: string,
): Promise<void> {
  const seen: Record<string, object> = {}
  const wanted: Record<string, object> = {}
  for (const endpoint of endpoints) {
    const response = await send(client, endpoint)
    // The answer to HEAD has no body.
    const isHead = endpoint.method === 'HEAD'
    seen[callOf(endpoint)] = isHead ? { status: response.status } : await failure(response)
    wanted[callOf(endpoint)] = isHead ? { status } : { status, error }
  }
  expect(seen).toEqual(wanted)
}

describe('the route table', () => {
  test('serves every call of the contract exactly once', () => {
    expect(routes.map(route => callOf(route.endpoint)).sort()).toEqual(
      contract.map(({ endpoint }) => callOf(endpoint)).sort(),
    )
  })

  test('has only signing in, the OpenAPI document and what tus offers as public routes', () => {
    const open = routes.filter(route => route.kind === 'public').map(route => callOf(route.endpoint))
    expect(open.sort()).toEqual(['GET /openapi.json', 'OPTIONS /uploads', 'POST /auth/login'])
  })

  test('has these routes for the visitors of links', () => {
    const ofVisitors = routes.filter(route => 'need' in route).map(route => callOf(route.endpoint))
    expect(ofVisitors.sort()).toEqual([
      'DELETE /s/:token/uploads/:id',
      'GET /s/:token',
      'GET /s/:token/download',
      'GET /s/:token/files',
      'GET /s/:token/files/:id',
      'GET /s/:token/files/:id/archive',
      'GET /s/:token/files/:id/download',
      'GET /s/:token/files/:id/preview',
      'GET /s/:token/files/:id/thumbnail',
      'HEAD /s/:token/uploads/:id',
      'PATCH /s/:token/uploads/:id',
      'POST /s/:token/archive',
      'POST /s/:token/unlock',
      'POST /s/:token/upload',
      'POST /s/:token/uploads',
      'POST /s/:token/uploads/:id/finish',
    ])
  })

  test.each([
    ['no credentials', {}],
    ['a key that nobody has', { 'x-api-key-id': 'gk_0', 'x-api-secret': 'gs_0' }],
    ['a session that nobody has', { cookie: 'filestore_session=forged' }],
  ])('answers 401 for %s', async (_who, credentials: Record<string, string>) => {
    const client = openClient(server.url, { ...credentials, origin: server.url })
    await expectFailures(client, guarded(), 401, 'unauthenticated')
  })

  test('answers 403 to a change with a cookie and no origin, even when an API key is sent, too', async () => {
    const user = await buildUser(server)
    const key = await buildKey(server, user, ['files:read'])
    const both = openClient(server.url, { ...key.headers, cookie: user.headers.cookie ?? '' })
    const changing = guarded().filter(({ method }) => !isSafe(method))
    await expectFailures(both, changing, 403, 'bad_origin')
  })

  test('allows a user who must change the password only that, the profile and signing out', async () => {
    const forced = await buildUser(server, { mustChangePassword: true })
    const allowed: Endpoint[] = [auth.getProfile, auth.changePassword, auth.logout]
    const refused = guarded().filter(endpoint => !allowed.includes(endpoint))
    await expectFailures(forced, refused, 403, 'password_change_required')
    expect((await send(forced, auth.getProfile)).status).toBe(200)
  })
})
