/** The calls that still work below the minimum of free space; a new call must be added to this list or be refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSafe } from '../../src/api/endpoint.ts'
import { maxChangesWhenFull } from '../../src/api/limits.ts'
import { createUser } from '../../src/api/users.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { contract } from '../support/contract.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { inputForms, sampleInput } from '../support/sample-input.ts'
import { sendInput } from '../support/send-input.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

/** These calls free space, decide on existing items, let users in, or lock them out. */
const goOn = [
  'login',
  'logout',
  'changePassword',
  'endSession',
  'updateUser',
  'deleteUser',
  'trashFile',
  'deleteFile',
  'emptyTrash',
  'archiveItems',
  'findFileByPath',
  'deleteTag',
  'deleteApiKey',
  'deleteRole',
  'deleteField',
  'deleteShare',
  'deleteSpace',
  'deleteLink',
  'deleteGroup',
  'removeGroupMember',
  'discardUpload',
  'decideFile',
]
const actionsThatGoOn = ['trash', 'delete']

let server: TestServer
beforeAll(async () => {
  server = await startServer({ minFreeSpace: '1000000GB' })
})
afterAll(() => server.close())

const signInAdmin = () => signIn(server.url, server.adminName, server.adminPassword)
const isRefused = async (answer: Response) => (await failure(answer)).error === 'storage_full'

describe('a server below its minimum of free space', () => {
  test('refuses every call that may add data, and accepts every other', async () => {
    const refused: string[] = []
    const wanted: string[] = []
    for (const { name, endpoint } of contract) {
      // Visitors' calls need a link; test/api/visits.test.ts has them.
      const isVisitors = endpoint.path.startsWith('/s/')
      if (isSafe(endpoint.method) || name === 'batchFiles' || isVisitors) continue
      if (!goOn.includes(name)) wanted.push(name)
      const [fields = {}] = inputForms(endpoint)
      // Each call gets a session of its own, because some calls end it.
      if (await isRefused(await sendInput(await signInAdmin(), endpoint, sampleInput(fields)))) refused.push(name)
    }
    expect(refused.sort()).toEqual(wanted.sort())
    expect(wanted.length).toBeGreaterThan(15)
  })

  test.each(['move', 'favorite', 'trash', 'restore', 'delete', 'tag', 'untag'])(
    'refuses a batch or not, depending on its action: %s',
    async action => {
      const fields = { favorite: { is_favorite: true }, tag: { tag_id: 1 }, untag: { tag_id: 1 } }[action]
      const endpoint = contract.find(({ name }) => name === 'batchFiles')?.endpoint
      if (endpoint === undefined) throw new Error('there is no such call')
      const answer = await sendInput(await signInAdmin(), endpoint, { action, ids: [999_999], ...fields })
      expect(answer.status).toBe(actionsThatGoOn.includes(action) ? 200 : 507)
    },
  )

  test('lets a user disable an API key, but not enable it', async () => {
    const endpoint = contract.find(({ name }) => name === 'updateApiKey')?.endpoint
    if (endpoint === undefined) throw new Error('there is no such call')
    const admin = await signInAdmin()
    expect((await sendInput(admin, endpoint, { id: 999_999, is_active: false })).status).toBe(404)
    expect((await sendInput(admin, endpoint, { id: 999_999, is_active: true })).status).toBe(507)
  })
})

describe('the rate limit of a user below the minimum of free space', () => {
  let user: BuiltUser
  const change = (client: TestClient, from: string, to: string) =>
    client.raw('/api/auth/password', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ current_password: from, new_password: to }),
    })

  test('bounds sign-ins and password changes of that user, and leaves other users alone', async () => {
    user = await buildUser(server)
    const { password, username } = user
    // Signing in was the first change.
    expect((await change(user, password, 'another password')).status).toBe(200)
    expect((await change(user, 'another password', password)).status).toBe(200)
    // Counts changes without making them, because hashing a password takes long.
    for (let made = 4; made < maxChangesWhenFull; made++) await server.deps.changes.countWhenFull(user.id)
    await signIn(server.url, username, password)
    await expect(signIn(server.url, username, password)).rejects.toMatchObject({ status: 429, code: 'rate_limited' })
    const refused = await change(user, password, 'another password')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60)
    await buildUser(server)
    await signInAdmin()
  })
})

test('an administrator cannot create a user below the minimum of free space', async () => {
  const user = { username: 'new', email: 'new@example.org', role: 'user' }
  await expect((await signInAdmin()).call(createUser, user)).rejects.toMatchObject({ status: 507 })
})
