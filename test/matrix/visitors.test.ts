/**
 * Every call of links' visitors × every state of a link, by GET and HEAD: no call but the question for the link forgets
 * the password, and none answers for a link that does not work. And every call × level × place of an item.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finishLinkUpload } from '../../src/api/link-uploads.ts'
import { updateLink } from '../../src/api/links.ts'
import { updateSharingSettings } from '../../src/api/shares.ts'
import { trashFile } from '../../src/api/trash.ts'
import type { GuestRoute, Route } from '../../src/route.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser, disableUser, turnSettings } from '../support/factories.ts'
import { routesOf } from '../support/routes-of.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { bytesType, idOf, metadataOf, nobodysId, tusRequest, version } from '../support/tus.ts'
import { buildLink, newLinkRules, openVisitor, type Visitor } from '../support/visitor.ts'
import type { Document } from './send.ts'
import { checkDescribed } from './send.ts'

let server: TestServer
let admin: TestClient
let user: BuiltUser
let document: Document
beforeAll(async () => {
  // Each call comes from another address: one may try sixty unknown links a minute, and there are more calls.
  server = await startServer({ trustProxy: '127.0.0.1' })
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  user = await buildUser(server)
  document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as Document
})
afterAll(() => server.close())

const isVisitors = (route: Route): route is GuestRoute => 'need' in route

let sent = 0

/** The same browser at another address. */
function fromElsewhere(visitor: Visitor): Visitor {
  sent += 1
  const address = { 'x-forwarded-for': `192.0.2.${sent % 250}` }
  const raw: Visitor['raw'] = (path, request = {}) =>
    visitor.raw(path, { ...request, headers: { ...address, ...request.headers } })
  return { ...visitor, raw }
}

/** Begins an upload of seven bytes, of which as many come along as asked for; of none where the visitor may begin none. */
async function buildUpload(visitor: Visitor, bytes: 0 | 7): Promise<string> {
  const headers = { ...version, 'upload-length': '7', 'upload-metadata': metadataOf({ name: 'a', finish: 'explicit' }) }
  const begun = await visitor.raw('/uploads', {
    ...{ method: 'POST', headers: { ...headers, ...bytesType } },
    body: 'matrix!'.slice(0, bytes),
  })
  return idOf(begun.headers.get('location') ?? nobodysId)
}

/** Sends a visitor's call of a resumable upload, and then drops the upload: an address may have few. */
async function sendTus(visitor: Visitor, { endpoint }: GuestRoute): Promise<Response> {
  const isBegun = endpoint.path.includes(':id')
  const id = isBegun ? await buildUpload(visitor, endpoint === finishLinkUpload ? 7 : 0) : ''
  const { path, ...request } = tusRequest(endpoint, { token: '', ...(isBegun ? { id } : {}) })
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  const own = path.replace('/api/s/', '')
  const response = await visitor.raw(own, endpoint === finishLinkUpload ? json : request)
  const left = isBegun ? id : idOf(response.headers.get('location') ?? '')
  await visitor.raw(`/uploads/${left}`, { method: 'DELETE', headers: version })
  return response
}

/** Sends a visitor's call about an item, and returns its status, which the API's document must describe. */
async function send(visitor: Visitor, route: GuestRoute, itemId: number, method?: string): Promise<number> {
  const { endpoint } = route
  const elsewhere = fromElsewhere(visitor)
  const path = endpoint.path.replace('/s/:token', '').replace(':id', String(itemId))
  const json = { 'content-type': 'application/json' }
  const bodies: Record<string, () => Promise<Response>> = {
    '/unlock': () => elsewhere.raw(path, { method: 'POST', headers: json, body: '{"password":"open sesame"}' }),
    '/archive': () => elsewhere.raw(path, { method: 'POST', headers: json, body: JSON.stringify({ ids: [itemId] }) }),
    '/upload': () => visitor.upload('sent'),
  }
  const isTus = endpoint.path.includes('/uploads')
  const special = isTus ? sendTus(elsewhere, route) : bodies[path]?.()
  const response = await (special ?? elsewhere.raw(path, { method: method ?? 'GET' }))
  const text = response.headers.get('content-type')?.startsWith('application/json') ? await response.text() : ''
  if (text === '') await response.arrayBuffer()
  checkDescribed(document, endpoint, response.status, text === '' ? undefined : JSON.parse(text).error)
  return response.status
}

const nameOf = ({ endpoint }: GuestRoute): string => `${endpoint.method} ${endpoint.path.replace('/s/:token', '')}`

/** The statuses of all visitors' calls about an item, by call, and by HEAD where the call is a GET. */
async function sendAll(visitor: () => Visitor, itemId: number): Promise<Record<string, number>> {
  const seen: Record<string, number> = {}
  for (const route of routesOf(server).filter(isVisitors)) {
    seen[nameOf(route)] = await send(visitor(), route, itemId)
    if (route.endpoint.method === 'GET') {
      const head = await send(visitor(), route, itemId, 'HEAD')
      expect([nameOf(route), 'HEAD', head]).toEqual([nameOf(route), 'HEAD', seen[nameOf(route)]])
    }
  }
  return seen
}

const allBut = (status: number, others: Record<string, number> = {}): Record<string, number> => ({
  ...Object.fromEntries(
    routesOf(server)
      .filter(isVisitors)
      .map(route => [nameOf(route), status]),
  ),
  ...others,
})

/** Ways in which a link stops, each with what undoes it for the others. */
const ends: Record<string, (link: { id: number; itemId: number; maker: BuiltUser }) => Promise<unknown>> = {
  'that was ended': ({ id, maker }) => maker.raw(`/api/links/${id}`, { method: 'DELETE' }),
  'that is paused': ({ id, maker }) => maker.call(updateLink, { id, is_active: false }),
  'that has expired': ({ id }) =>
    server.deps.db.touch(() => server.deps.db.change('UPDATE links SET expires_at = 1 WHERE id = $1', [id])),
  'whose item is in the trash': ({ itemId, maker }) => maker.call(trashFile, { id: itemId }),
  'whose maker is disabled': ({ maker }) => disableUser(server, maker.id),
  'that needs a password now': () => admin.call(updateSharingSettings, { link_password_required: true }),
  'that has to end now': () => admin.call(updateSharingSettings, { link_max_days: 1 }),
  'while links are turned off': () => admin.call(updateSharingSettings, { links: false }),
}

describe('a link', () => {
  test('that is unknown answers 404 to every call', async () => {
    const unknown = 'x'.repeat(22)
    for (const token of [unknown, '%00']) {
      for (const route of routesOf(server).filter(isVisitors)) {
        expect(await send(openVisitor(server.url, token), route, 1)).toBe(404)
      }
    }
  })

  test.each(Object.keys(ends))('%s answers 404 to every call', async name => {
    const maker = await buildUser(server)
    const folder = await buildFolder(maker)
    const file = await buildFile(maker, { parent_id: folder.id })
    const { id, token } = await buildLink(maker, folder, { level: 'both' })
    const visitor = openVisitor(server.url, token)
    expect((await visitor.raw('')).status).toBe(200)
    try {
      await ends[name]?.({ id, itemId: folder.id, maker })
      expect(await sendAll(() => visitor, file.id)).toEqual(allBut(404))
    } finally {
      await admin.call(updateSharingSettings, newLinkRules)
    }
  })

  test('to a file that waits for approval answers 404 to every call', async () => {
    await turnSettings(admin, { validation_enabled: true })
    const file = await buildFile(user)
    await turnSettings(admin, { validation_enabled: false })
    const { token } = await buildLink(user, file)
    expect(await sendAll(() => openVisitor(server.url, token), file.id)).toEqual(allBut(404))
  })

  test('that is used up answers 404 to every call', async () => {
    const file = await buildFile(user)
    const { token } = await buildLink(user, file, { max_downloads: 1 })
    expect((await openVisitor(server.url, token).raw('/download')).status).toBe(200)
    expect(await sendAll(() => openVisitor(server.url, token), file.id)).toEqual(allBut(404))
  })

  test.each([
    ['without a visit', () => undefined],
    ['with a visit of another link', (other: string) => other],
    ['with a visit that nobody began', () => `filestore_link=${'x'.repeat(43)}`],
    ['with the session of its maker', () => user.headers.cookie],
  ])('with a password answers 401 to every call %s', async (_name, cookieOf) => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { parent_id: folder.id })
    const { token } = await buildLink(user, folder, { level: 'both', password: 'open sesame' })
    const elsewhere = openVisitor(server.url, (await buildLink(user, folder, { password: 'another one' })).token)
    await elsewhere.post('/unlock', { password: 'another one' })
    const visitor = () => openVisitor(server.url, token, cookieOf(elsewhere.cookie() ?? ''))
    expect(await sendAll(visitor, file.id)).toEqual(allBut(401, { 'GET ': 200, 'POST /unlock': 200 }))
    expect(await visitor().get('')).toEqual({ locked: true })
  })
})

const seeing = {
  'GET /files': 200,
  'GET /files/:id': 200,
  'GET /files/:id/download': 200,
  'GET /files/:id/preview': 200,
  'GET /files/:id/thumbnail': 404,
  'GET /files/:id/archive': 404,
  'POST /archive': 200,
  'GET /download': 200,
}
const always = { 'GET ': 200, 'POST /unlock': 200 }
const adding = {
  'POST /upload': 201,
  'POST /uploads': 201,
  'HEAD /uploads/:id': 200,
  'PATCH /uploads/:id': 204,
  'DELETE /uploads/:id': 204,
  'POST /uploads/:id/finish': 201,
}
const addingNone = Object.fromEntries(Object.keys(adding).map(name => [name, 403]))

describe('a visitor with the level', () => {
  test.each([
    ['view', { ...seeing, ...always, ...addingNone }],
    ['both', { ...seeing, ...always, ...adding }],
    ['upload', { ...always, ...adding }],
  ] as const)('%s gets this at a file in the folder', async (level, expected) => {
    const folder = await buildFolder(user)
    const inner = await buildFolder(user, 'inner', folder.id)
    const file = await buildFile(user, { parent_id: inner.id })
    const { token } = await buildLink(user, folder, { level })
    expect(await sendAll(() => openVisitor(server.url, token), file.id)).toEqual(allBut(404, expected))
  })

  test.each(['view', 'both', 'upload'] as const)('%s gets nothing that is not in the folder', async level => {
    const above = await buildFolder(user)
    const folder = await buildFolder(user, 'linked', above.id)
    const trashed = await buildFile(user, { parent_id: folder.id })
    await user.call(trashFile, { id: trashed.id })
    const moved = await buildFile(user, { parent_id: folder.id })
    const beside = await buildFile(user, { parent_id: above.id })
    expect(
      (
        await user.raw(`/api/files/${moved.id}/move`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ parent_id: above.id }),
        })
      ).status,
    ).toBe(200)
    const others = await buildFile(await buildUser(server))
    const { token } = await buildLink(user, folder, { level })
    const ofItems = Object.keys(seeing).filter(name => name.includes(':id') || name === 'POST /archive')
    for (const { id } of [above, beside, trashed, moved, others]) {
      const seen = await sendAll(() => openVisitor(server.url, token), id)
      expect([id, Object.entries(seen).filter(([name, status]) => ofItems.includes(name) && status !== 404)]).toEqual([
        id,
        [],
      ])
    }
  })
})
