/** Requests that lose their rights before their last byte arrives change nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { endSession, listSessions, logout } from '../../src/api/auth.ts'
import { type BatchResult, listFiles } from '../../src/api/files.ts'
import { deleteApiKey, listApiKeys, updateApiKey } from '../../src/api/keys.ts'
import { listTags } from '../../src/api/tags.ts'
import { updateUser } from '../../src/api/users.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildKey,
  buildRole,
  buildTag,
  buildUser,
  userRolePermissions,
} from '../support/factories.ts'
import { type HeldRequest, holdLastBytes } from '../support/held-body.ts'
import { readHoldings } from '../support/holdings.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let role: string
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  role = await buildRole(server, userRolePermissions)
})
afterAll(() => server.close())

let user: BuiltUser
/** Another session of the same user, which remains when the first session ends. */
let second: TestClient
let key: Awaited<ReturnType<typeof buildKey>>
let requests: Record<string, HeldRequest>
beforeEach(async () => {
  user = await buildUser(server, { role })
  second = await signIn(server.url, user.username, user.password)
  key = await buildKey(server, user, [...userRolePermissions])
  const file = await buildFile(user)
  const tag = await buildTag(user)
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = (method: string, path: string, body: object): HeldRequest => ({
    method,
    path: `/api${path}`,
    headers: json,
    body: JSON.stringify(body),
  })
  requests = {
    archive: send('POST', '/files/archive', { ids: [file.id] }),
    form: { method: 'POST', path: '/api/files/archive', headers: form, body: `ids=${file.id}` },
    rename: send('PUT', `/files/${file.id}/rename`, { name: 'renamed.txt' }),
    batch: send('POST', '/files/batch', { action: 'trash', ids: [file.id] }),
    folder: send('POST', '/files/folders', { name: 'made late' }),
    upload: {
      method: 'POST',
      path: '/api/files/upload',
      headers: { 'content-type': multipartType },
      body: multipartBody([{ name: 'file', value: Buffer.alloc(100_000), fileName: 'late.bin' }]),
    },
    tag: send('POST', '/tags/tag-files', { tag_id: tag.id, file_ids: [file.id] }),
    'new tag': send('POST', '/tags', { name: 'late', color: '#3B82F6' }),
    key: send('POST', '/auth/api-keys', { name: 'late', permissions: ['files:read'] }),
  }
})

/** The user's rows in the database and the keys in the store. */
async function readOwn(): Promise<unknown> {
  const { db } = server.deps
  const of = (sql: string) => db.rows(sql, [user.id])
  return {
    files: await of('SELECT id, name, deleted_at FROM files WHERE owner_id = $1 ORDER BY id'),
    tagged: await of(
      'SELECT t.id, ft.file_id FROM tags t LEFT JOIN file_tags ft ON ft.tag_id = t.id WHERE t.owner_id = $1',
    ),
    late: await of("SELECT id FROM api_keys WHERE user_id = $1 AND name = 'late'"),
    keys: (await readHoldings(server)).keys,
  }
}

async function sendWhile(client: TestClient, withdraw: () => Promise<unknown>) {
  const before = await readOwn()
  const finish = holdLastBytes(server.url, client, Object.values(requests))
  // The server has authenticated every held request by the time of this answer, so before the rights end.
  expect((await client.raw('/api/auth/profile')).status).toBe(200)
  await withdraw()
  const statuses = (await finish()).map(({ status }) => status)
  await expect.poll(readOwn).toEqual(before)
  return Object.fromEntries(Object.keys(requests).map((name, index) => [name, statuses[index]]))
}

const all = (status: number) => Object.fromEntries(Object.keys(requests).map(name => [name, status]))

const weakRole = () => buildRole(server, ['metadata:manage'])

describe('a request that a session began changes nothing after', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['its user is disabled', () => admin.call(updateUser, { id: user.id, is_active: false })],
    ['its user gets another role', async () => admin.call(updateUser, { id: user.id, role: await weakRole() })],
    ['its user gets a new password', () => admin.call(updateUser, { id: user.id, password: 'a new one' })],
    ['it is signed out', () => user.call(logout, {})],
    [
      'it is ended from elsewhere',
      async () => {
        const { sessions } = await second.call(listSessions, {})
        for (const { id, current } of sessions) if (!current) await second.call(endSession, { id })
      },
    ],
  ])('%s: 401', async (_what, withdraw) => {
    expect(await sendWhile(user, withdraw)).toEqual(all(401))
  })

  test('its role loses the permissions: 403', async () => {
    const weaken = async () => {
      const { db } = server.deps
      const weak = await db.row<{ id: number }>('SELECT id FROM roles WHERE name = $1', [await weakRole()])
      await db.touch(() => db.change('UPDATE users SET role_id = $1 WHERE id = $2', [weak?.id ?? 0, user.id]))
    }
    expect(await sendWhile(user, weaken)).toEqual(all(403))
  })
})

test('a body that arrives while its caller is being looked up comes too late for a right that ends meanwhile', async context => {
  onlyOneServer('process', context)
  const { db } = server.deps
  let lookUp = () => {}
  const isLookingUp = new Promise<void>(resolve => {
    lookUp = resolve
  })
  let goOn = () => {}
  const mayGoOn = new Promise<void>(resolve => {
    goOn = resolve
  })
  const { cached } = db
  const spy = vi.spyOn(db, 'cached').mockImplementation(async (name, read) => {
    const value = await cached(name, read)
    lookUp()
    await mayGoOn
    return value
  })
  const finish = holdLastBytes(server.url, key, [requests.archive ?? expect.fail()])
  await isLookingUp
  spy.mockRestore()
  await db.touch(() => db.change('UPDATE api_keys SET is_active = 0 WHERE id = $1', [key.id]))
  const answers = finish()
  // Another request that came after the last byte has been answered.
  expect((await user.raw('/api/auth/profile')).status).toBe(200)
  goOn()
  expect((await answers).map(({ status }) => status)).toEqual([401])
})

describe('a request that an API key began changes nothing after', () => {
  test.each<[string, number, () => Promise<unknown>]>([
    ['its user is disabled', 401, () => admin.call(updateUser, { id: user.id, is_active: false })],
    ['its user gets another role', 403, async () => admin.call(updateUser, { id: user.id, role: await weakRole() })],
    ['its user gets a new password', 401, () => admin.call(updateUser, { id: user.id, password: 'a new one' })],
    ['it is disabled', 401, () => user.call(updateApiKey, { id: key.id, is_active: false })],
    ['it is deleted', 401, () => user.call(deleteApiKey, { id: key.id })],
  ])('%s: %i', async (_what, status, withdraw) => {
    expect(await sendWhile(key, withdraw)).toEqual(all(status))
  })
})

test('a request with a late body takes effect when the rights remain', async () => {
  const finish = holdLastBytes(
    server.url,
    user,
    [requests.rename, requests.upload, requests.folder].filter(r => r !== undefined),
  )
  expect((await user.call(listApiKeys, {})).api_keys).toHaveLength(1)
  expect((await finish()).map(({ status }) => status)).toEqual([200, 201, 201])
  expect((await user.call(listFiles, {})).files.map(({ name }) => name).sort()).toEqual(['late.bin', 'renamed.txt'])
  expect((await user.call(listTags, {})).tags).toHaveLength(1)
})

test('a running batch stops when its user is disabled', async () => {
  const files = await Promise.all(Array.from({ length: 300 }, (_, n) => buildFile(user, {}, `file ${n}`)))
  const ids = files.map(({ id }) => id)
  const headers = { 'content-type': 'application/json' }
  const answer = user.raw('/api/files/batch', {
    method: 'POST',
    headers,
    body: JSON.stringify({ action: 'trash', ids }),
  })
  const { db } = server.deps
  const trashed = async () =>
    Number(
      (await db.row<{ n: number }>('SELECT COUNT(*) AS n FROM files WHERE owner_id = $1 AND deleted_at > 0', [user.id]))
        ?.n,
    )
  await expect.poll(trashed, { interval: 1 }).toBeGreaterThan(0)
  await admin.call(updateUser, { id: user.id, is_active: false })
  const { data } = (await (await answer).json()) as { data: { results: BatchResult[] } }
  expect(data.results[0]).toEqual({ id: ids[0], ok: true })
  expect(data.results.at(-1)).toMatchObject({ id: ids.at(-1), ok: false, error: 'unauthenticated' })
  expect(await trashed()).toBeLessThan(ids.length)
})
