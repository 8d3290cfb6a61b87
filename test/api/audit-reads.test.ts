/** The audit log also records what changes nothing: sign-ins, downloads, the use of API keys, and refusals. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { endSession, listSessions, logout } from '../../src/api/auth.ts'
import { type ChangeEvent, listAudit } from '../../src/api/events.ts'
import { listFileEvents } from '../../src/api/files.ts'
import { deleteApiKey, updateApiKey } from '../../src/api/keys.ts'
import { openClient, signIn } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildReviewer,
  buildUser,
  disableUser,
  turnSettings,
} from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

/** The newest events of an action that match; another process writes them a second later. */
async function told(action: string, fits: (event: ChangeEvent) => boolean = () => true): Promise<ChangeEvent[]> {
  await server.deps.journal.flush()
  return (await admin.call(listAudit, { action })).events.filter(fits)
}
const byUser = ({ actor_id }: ChangeEvent) => actor_id === user.id

describe('signing in and out', () => {
  test('is recorded with the session, its address and its user agent', async () => {
    const response = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'a browser' },
      body: JSON.stringify({ username: user.username, password: user.password }),
    })
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const client = openClient(server.url, { cookie, origin: server.url })
    const current = (await client.call(listSessions, {})).sessions.find(session => session.current)
    const [event] = await told('session.sign-in', byUser)
    expect(event).toMatchObject({ item_id: current?.id, key_id: null, detail: { user_agent: 'a browser' } })
    expect(event?.address).toMatch(/127\.0\.0\.1|::1/)
    await client.call(logout, {})
    expect((await told('session.sign-out', byUser)).map(({ item_id }) => item_id)).toEqual([current?.id])
  })

  test('is recorded once when the user ends the session on the account page', async () => {
    const client = await signIn(server.url, user.username, user.password)
    const { id = 0 } = (await client.call(listSessions, {})).sessions.find(session => session.current) ?? {}
    await client.call(endSession, { id })
    const ended = (await told('session', byUser)).filter(({ item_id }) => item_id === id)
    expect(ended.map(({ action }) => action)).toEqual(['session.end', 'session.sign-in'])
  })

  test.each([
    ['unknown username', async () => ({ username: 'nobody has this', password: 'some secret' })],
    ['wrong password', async () => ({ username: user.username, password: 'not the password' })],
    [
      'account disabled',
      async () => {
        await disableUser(server, user.id)
        return { username: user.username, password: user.password }
      },
    ],
  ])('is recorded when it fails, with the reason and the name of an existing user only: %s', async (reason, build) => {
    const body = await build()
    await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const read = async () => (await told('session.refuse'))[0]
    await expect.poll(read).toMatchObject({
      actor_id: null,
      actor_name: 'system',
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      detail: reason === 'unknown username' ? { reason } : { username: user.username, reason },
    })
    const event = await read()
    expect(JSON.stringify(event)).not.toContain(body.password)
    // An unknown username may be a password that the user typed into the wrong field.
    if (reason === 'unknown username') expect(JSON.stringify(event)).not.toContain('nobody')
  })

  test('is recorded without a username when the rate limit refuses it', async context => {
    onlyOneServer('counts', context)
    const body = JSON.stringify({ username: user.username, password: 'wrong password' })
    const headers = { 'content-type': 'application/json' }
    const statuses: number[] = []
    for (let n = 0; n < 12; n++) {
      statuses.push((await fetch(`${server.url}/api/auth/login`, { method: 'POST', headers, body })).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect((await told('session.refuse')).filter(({ detail }) => detail?.username === user.username)).toHaveLength(1)
    expect((await told('session.refuse'))[0]?.detail).toEqual({ reason: 'too many attempts' })
  })
})

describe('a download', () => {
  test('is recorded once, in one piece or in ranges, and changes neither the activity nor the listing’s revision', async context => {
    onlyOneServer('counts', context)
    const file = await buildFile(user, { name: 'a.bin' }, 'x'.repeat(100_000))
    const revision = async () => (await user.raw('/api/files')).headers.get('etag')
    const before = await revision()
    for (let start = 0; start < 100_000; start += 20_000) {
      const range = `bytes=${start}-${start + 19_999}`
      expect((await user.raw(`/api/files/${file.id}/download`, { headers: { range } })).status).toBe(206)
    }
    await (await user.raw(`/api/files/${file.id}/download`)).arrayBuffer()
    expect(await told('file.download', byUser)).toMatchObject([{ item_id: file.id, detail: { name: 'a.bin' } }])
    expect(await revision()).toBe(before)
    const { events } = await user.call(listFileEvents, { id: file.id })
    expect(events.map(({ action }) => action)).toEqual(['file.upload'])
  })

  test('is not recorded when no bytes are sent', async () => {
    const file = await buildFile(user)
    const path = `/api/files/${file.id}/download`
    const { headers } = await user.raw(path, { method: 'HEAD' })
    expect((await user.raw(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } })).status).toBe(304)
    expect((await user.raw(path, { headers: { range: 'bytes=999-' } })).status).toBe(416)
    expect((await admin.raw(path)).status).toBe(404)
    expect(await told('file.download', ({ item_id }) => item_id === file.id)).toEqual([])
  })

  const archive = /^filestore-[\d-]{10}\.zip$/
  const downloadItems = async (...ids: number[]) => {
    const headers = { 'content-type': 'application/json' }
    const response = await user.raw('/api/files/archive', { method: 'POST', headers, body: JSON.stringify({ ids }) })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  }

  test('is recorded for the item when a folder or a single item is downloaded as a ZIP file', async () => {
    const folder = await buildFolder(user, 'Plans')
    const inside = await buildFile(user, { parent_id: folder.id })
    const file = await buildFile(user, { name: 'b.txt' })
    await (await user.raw(`/api/files/${folder.id}/archive`)).arrayBuffer()
    await expect
      .poll(() => told('folder.download', byUser))
      .toMatchObject([{ item_id: folder.id, detail: { name: 'Plans', archive: 'Plans.zip' } }])
    await downloadItems(folder.id)
    await expect.poll(() => told('folder.download', byUser)).toHaveLength(2)
    await downloadItems(file.id)
    await expect
      .poll(() => told('file.download', byUser))
      .toEqual([
        expect.objectContaining({
          item_id: file.id,
          detail: { name: 'b.txt', archive: expect.stringMatching(archive) },
        }),
      ])
    expect(await told('file.download', ({ item_id }) => item_id === inside.id)).toEqual([])
  })

  test('is recorded once with the number of items for a ZIP file of many, and again for other items', async context => {
    onlyOneServer('counts', context)
    const ids: number[] = []
    while (ids.length < 6) ids.push((await buildFile(user)).id)
    ids.push((await buildFolder(user)).id)
    for (let n = 0; n < 3; n++) await downloadItems(...ids)
    const ofSeven = { item_id: null, detail: { items: 7, archive: expect.stringMatching(archive) } }
    expect(await told('file.download', byUser)).toMatchObject([ofSeven])
    await downloadItems(...ids.slice(0, 2))
    await downloadItems(...ids.slice(2, 4))
    const ofTwo = { item_id: null, detail: { items: 2 } }
    expect(await told('file.download', byUser)).toMatchObject([ofTwo, ofTwo, ofSeven])
    expect(await told('folder.download', byUser)).toEqual([])
  })

  test('through a preview is recorded as a preview', async () => {
    const file = await buildFile(user, { name: 'a.txt' })
    await (await user.raw(`/api/files/${file.id}/preview`)).text()
    await expect
      .poll(() => told('file.preview', byUser))
      .toMatchObject([{ item_id: file.id, detail: { name: 'a.txt' } }])
  })
})

describe('a reviewer', () => {
  test('is recorded once for viewing the details or the thumbnail of a held image; the owner is not', async context => {
    onlyOneServer('counts', context)
    await turnSettings(admin, { validation_enabled: true })
    onTestFinished(() => turnSettings(admin, { validation_enabled: false }))
    const reviewer = await buildReviewer(server)
    const file = await buildFile(user, { name: 'held.png' }, await drawImage(50, 40).as('png'))
    const ofFile = ({ item_id }: ChangeEvent) => item_id === file.id
    const look = async (client: BuiltUser) => {
      for (const path of ['', '/thumbnail', '', '/thumbnail']) {
        const response = await client.raw(`/api/files/${file.id}${path}`)
        expect(response.status).toBe(200)
        await response.arrayBuffer()
      }
    }
    await look(user)
    const events = async () => [...(await told('file.view', ofFile)), ...(await told('file.preview', ofFile))]
    expect(await events()).toEqual([])
    await look(reviewer)
    expect(await events()).toMatchObject([
      { action: 'file.view', actor_id: reviewer.id, detail: { name: 'held.png' } },
      { action: 'file.preview', actor_id: reviewer.id, detail: { name: 'held.png' } },
    ])
    const activity = await user.call(listFileEvents, { id: file.id })
    expect(activity.events.map(({ action }) => action)).toEqual(['file.upload'])
  })
})

describe('an API key', () => {
  test('is recorded when it is used, but not for each request', async context => {
    onlyOneServer('counts', context)
    const key = await buildKey(server, user, ['files:read'])
    for (let n = 0; n < 5; n++) expect((await key.raw('/api/files')).status).toBe(200)
    expect(await told('api-key.use', byUser)).toMatchObject([{ item_id: key.id, key_id: key.id }])
  })

  test.for<[string, (id: number) => Promise<unknown>, boolean]>([
    ['wrong secret', async () => undefined, true],
    ['key disabled', async id => user.call(updateApiKey, { id, is_active: false }), false],
    [
      'key expired',
      async id => {
        const { db } = server.deps
        await db.touch(() => db.change('UPDATE api_keys SET expires_at = 1 WHERE id = $1', [id]))
      },
      false,
    ],
    ['account disabled', async () => disableUser(server, user.id), false],
    ['unknown key', async id => user.call(deleteApiKey, { id }), false],
  ])('is recorded with the reason when it is refused: %s', async ([reason, spoil, isWrong], context) => {
    onlyOneServer('counts', context)
    const key = await buildKey(server, user, ['files:read'])
    await spoil(key.id)
    const secret = isWrong ? `${key.secret}x` : key.secret
    const client = openClient(server.url, { authorization: `Bearer ${key.keyId}:${secret}` })
    for (let n = 0; n < 3; n++) expect((await client.raw('/api/files')).status).toBe(401)
    const events = await told('api-key.refuse', ({ detail }) => detail?.key_id === key.keyId)
    expect(events).toMatchObject([
      {
        actor_id: null,
        item_id: reason === 'unknown key' ? null : key.id,
        address: expect.stringMatching(/127\.0\.0\.1|::1/),
        detail: { key_id: key.keyId, reason },
      },
    ])
    expect(JSON.stringify(events)).not.toContain(key.secret)
  })

  test('is recorded without its secret when the secret stands in place of the key id', async () => {
    const key = await buildKey(server, user, ['files:read'])
    const misplaced: Record<string, string>[] = [
      { 'x-api-key-id': key.secret },
      { authorization: `Bearer ${key.secret}` },
    ]
    for (const headers of misplaced) {
      expect((await openClient(server.url, headers).raw('/api/files')).status).toBe(401)
    }
    const isNameless = ({ detail }: ChangeEvent) => !('key_id' in (detail ?? {}))
    await expect.poll(async () => (await told('api-key.refuse', isNameless)).length).toBeGreaterThan(0)
    expect(JSON.stringify(await admin.call(listAudit, {}))).not.toContain(key.secret)
  })

  test('is recorded with the call when it lacks the permission for it', async () => {
    const key = await buildKey(server, user, ['files:read'])
    const file = await buildFile(user)
    expect((await key.raw(`/api/files/${file.id}/permanent`, { method: 'DELETE' })).status).toBe(403)
    await expect
      .poll(() => told('api-key.forbid', byUser))
      .toMatchObject([{ item_id: key.id, key_id: key.id, detail: { call: 'DELETE /files/:id/permanent' } }])
  })

  test('is recorded once when it reaches its rate limit', async context => {
    onlyOneServer('counts', context)
    const key = await buildKey(server, user, ['files:read'], 'script', { rate_limit_per_minute: 1 })
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) statuses.push((await key.raw('/api/files')).status)
    expect(statuses).toEqual([200, 429, 429, 429])
    expect(await told('api-key.limit', byUser)).toMatchObject([{ item_id: key.id, detail: null }])
  })
})
