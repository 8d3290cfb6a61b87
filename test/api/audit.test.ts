/** The audit log: all changes by all users, filtered, the newest first. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '../../src/api/endpoint.ts'
import { listAudit } from '../../src/api/events.ts'
import { renameFile } from '../../src/api/files.ts'
import { createApiKey } from '../../src/api/keys.ts'
import type { WriteActor } from '../../src/db/write-actor.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildTag, buildUser } from '../support/factories.ts'
import { readPages } from '../support/pages.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

const audit = async (input: InputOf<typeof listAudit> = {}) => (await admin.call(listAudit, input)).events

/** Plants events that happened at these times (ms). */
async function plant(name: string, events: readonly { action: string; id: number; at: number }[]): Promise<void> {
  const { db } = server.deps
  const rows = events.map(({ action, id, at }) => ({
    at,
    actor_id: 1,
    actor_name: name,
    key_id: null,
    address: null,
    action,
    space_id: null,
    item_id: id,
    detail: null,
  }))
  await db.touch(() => db.insertAll(db.events, rows))
}

describe('the audit log', () => {
  test('shows every time as an ISO time, in details too', async () => {
    const { id, expires_at } = await admin.call(createApiKey, { name: 'a', permissions: ['files:read'], expires_in: 7 })
    const [event] = await audit({ action: 'api-key.create', item_id: id })
    expect(event?.detail).toMatchObject({ name: 'a', expires_at })
  })

  test('lists the changes of all users, with the address and the API key', async () => {
    const [one, two] = [await buildUser(server), await buildUser(server)]
    const file = await buildFile(one, { name: 'seen.txt' }, 'x')
    const key = await buildKey(server, two, ['files:write'])
    const folder = await buildFolder(key, 'made by key')
    // The use of the key is recorded within a second, which may have passed already.
    const [latest, , earlier] = (await audit()).filter(({ action }) => action !== 'api-key.use')
    expect(latest).toMatchObject({
      actor_id: two.id,
      actor_name: two.username,
      key_id: key.id,
      action: 'folder.create',
      item_id: folder.id,
      detail: { name: 'made by key', parent_id: null },
    })
    expect(latest?.address).toMatch(/127\.0\.0\.1|::1/)
    expect(earlier).toMatchObject({
      actor_name: one.username,
      action: 'file.upload',
      item_id: file.id,
      detail: { name: 'seen.txt', size: 1 },
    })
  })

  test('is filtered by the actor’s exact username', async () => {
    const [one, two] = [await buildUser(server), await buildUser(server)]
    await buildFile(one)
    await buildFile(two)
    const events = await audit({ actor: one.username })
    expect(events.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['file.upload', one.id],
      ['session.sign-in', one.id],
    ])
    for (const actor of [
      one.username.toUpperCase(),
      one.username.slice(0, -1),
      `${one.username}%`,
      "' OR 1=1 --",
      '',
    ]) {
      expect(await audit({ actor })).toEqual([])
    }
  })

  test('is filtered by a whole action, or by a noun with all its verbs', async () => {
    const user = await buildUser(server)
    const file = await buildFile(user)
    await user.call(renameFile, { id: file.id, name: 'renamed' })
    await buildFolder(user)
    await buildTag(user)
    const actions = async (action: string) => (await audit({ actor: user.username, action })).map(event => event.action)
    expect(await actions('file.rename')).toEqual(['file.rename'])
    expect(await actions('file')).toEqual(['file.rename', 'file.upload'])
    expect(await actions('folder')).toEqual(['folder.create'])
    expect(await actions('fil')).toEqual([])
    expect(await actions('file.re')).toEqual([])
  })

  test('is filtered by an item id across all nouns', async () => {
    await plant('by item', [
      { action: 'file.rename', id: 777_777, at: 1000 },
      { action: 'tag.update', id: 777_777, at: 2000 },
      { action: 'file.rename', id: 777_778, at: 3000 },
    ])
    expect((await audit({ item_id: 777_777 })).map(({ action }) => action)).toEqual(['tag.update', 'file.rename'])
    expect((await audit({ item_id: '777777', action: 'file' })).map(({ action }) => action)).toEqual(['file.rename'])
  })

  test('is filtered by time, both ends included, to the millisecond and in any zone', async () => {
    const noon = Date.UTC(2020, 1, 29, 12)
    await plant(
      'by time',
      [-1, 0, 1, 3_600_000].map((offset, id) => ({ action: 'test.time', id, at: noon + offset })),
    )
    const found = async (from?: string, to?: string) =>
      (await audit({ actor: 'by time', from, to })).map(({ item_id }) => item_id)
    expect(await found()).toEqual([3, 2, 1, 0])
    expect(await found('2020-02-29T12:00:00Z')).toEqual([3, 2, 1])
    expect(await found(undefined, '2020-02-29T12:00:00.000Z')).toEqual([1, 0])
    expect(await found('2020-02-29T12:00:00Z', '2020-02-29T12:00:00.001Z')).toEqual([2, 1])
    expect(await found('2020-02-29T14:00:00+02:00', '2020-02-29T07:00:00-05:00')).toEqual([1])
    expect(await found('2020-03-01T00:00:00Z', '2020-02-01T00:00:00Z')).toEqual([])
  })

  test('is ordered by time and not by insertion, in pages of any size', async () => {
    const at = Date.UTC(2001, 0)
    const order = [5, 3, 3, 9, 1, 3, 7, 3]
    await plant(
      'paged',
      order.map((offset, id) => ({ action: 'test.page', id, at: at + offset })),
    )
    const whole = await audit({ actor: 'paged' })
    expect(whole.map(({ item_id }) => item_id)).toEqual([3, 6, 0, 7, 5, 2, 1, 4])
    for (const filter of [
      { actor: 'paged' },
      { action: 'test.page' },
      { to: '2001-01-01T00:00:01Z', action: 'test' },
    ]) {
      for (const limit of [1, 3, 8]) {
        const { entries } = await readPages(async cursor => {
          const { events, next_cursor } = await admin.call(listAudit, { ...filter, limit, cursor })
          return { entries: events, next_cursor }
        })
        expect(entries).toEqual(whole)
      }
    }
  })

  test('refuses a cursor of other filters', async () => {
    const { next_cursor } = await admin.call(listAudit, { limit: 1 })
    expect((await admin.raw(`/api/audit?cursor=${next_cursor}`)).status).toBe(200)
    for (const query of ['actor=admin', 'action=file', 'item_id=1', 'from=2020-01-01T00:00:00Z']) {
      expect(await failure(await admin.raw(`/api/audit?${query}&cursor=${next_cursor}`))).toEqual({
        status: 400,
        error: 'invalid_input',
        fields: { cursor: expect.any(String) },
      })
    }
  })

  test.each([
    ['action=File', 'action'],
    ['action=file.', 'action'],
    ['action=%25', 'action'],
    ['action=file.a.b', 'action'],
    ['item_id=0', 'item_id'],
    ['item_id=x', 'item_id'],
    ['from=yesterday', 'from'],
    ['from=2020-01-01', 'from'],
    ['to=2020-02-30T00:00:00Z', 'to'],
    ['to=2020-01-01T00:00:00', 'to'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['user=1', 'user'],
    [`actor=${'x'.repeat(257)}`, 'actor'],
  ])('refuses invalid filters: %s', async (query, field) => {
    expect(await failure(await admin.raw(`/api/audit?${query}`))).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: { [field]: expect.any(String) },
    })
  })

  test('needs the permission to manage settings', async () => {
    const user = await buildUser(server)
    expect((await user.raw('/api/audit')).status).toBe(403)
    expect((await (await buildKey(server, admin, ['users:manage'])).raw('/api/audit')).status).toBe(403)
    const key = await buildKey(server, admin, ['settings:manage'])
    expect((await key.call(listAudit, { limit: 1 })).events).toHaveLength(1)
  })
})

describe('an event', () => {
  test('of the server itself has no actor id and keeps its name', async () => {
    const system: WriteActor = { userId: null, name: 'system', keyId: null, address: null }
    await server.deps.db.write(system, async record =>
      record('setting.update', { id: null }, { key: 'ключ "и" кавычки' }),
    )
    expect((await audit({ action: 'setting.update' }))[0]).toMatchObject({
      actor_id: null,
      actor_name: 'system',
      key_id: null,
      address: null,
      item_id: null,
      detail: { key: 'ключ "и" кавычки' },
    })
  })
})
