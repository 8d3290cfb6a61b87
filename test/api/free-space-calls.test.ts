/** Which calls go on where less is free than is to stay free, and how often: a new call must be told of here. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxChangesWhenFull } from '../../src/api/limits.ts'
import { createUser } from '../../src/api/users.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { contract } from '../support/contract.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { inputForms, sampleInput } from '../support/sample-input.ts'
import { sendInput } from '../support/send-input.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

/** They free space, decide on what is there, let people in, or lock them out. */
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

describe('on a disk with less free than is to stay free', () => {
  test('every call that may add something is refused, and every other goes on', async () => {
    const refused: string[] = []
    const wanted: string[] = []
    for (const { name, endpoint } of contract) {
      if (endpoint.method === 'GET' || name === 'batchFiles') continue
      if (!goOn.includes(name)) wanted.push(name)
      const [fields = {}] = inputForms(endpoint)
      // A session of its own, for some calls end it.
      if (await isRefused(await sendInput(await signInAdmin(), endpoint, sampleInput(fields)))) refused.push(name)
    }
    expect(refused.sort()).toEqual(wanted.sort())
    expect(wanted.length).toBeGreaterThan(15)
  })

  test.each(['move', 'favorite', 'trash', 'restore', 'delete', 'tag', 'untag'])(
    'a batch goes on or not as what it does to each: %s',
    async action => {
      const fields = { favorite: { is_favorite: true }, tag: { tag_id: 1 }, untag: { tag_id: 1 } }[action]
      const endpoint = contract.find(({ name }) => name === 'batchFiles')?.endpoint
      if (endpoint === undefined) throw new Error('there is no such call')
      const answer = await sendInput(await signInAdmin(), endpoint, { action, ids: [999_999], ...fields })
      expect(answer.status).toBe(actionsThatGoOn.includes(action) ? 200 : 507)
    },
  )

  test('a key can be disabled, and not enabled', async () => {
    const endpoint = contract.find(({ name }) => name === 'updateApiKey')?.endpoint
    if (endpoint === undefined) throw new Error('there is no such call')
    const admin = await signInAdmin()
    expect((await sendInput(admin, endpoint, { id: 999_999, is_active: false })).status).toBe(404)
    expect((await sendInput(admin, endpoint, { id: 999_999, is_active: true })).status).toBe(507)
  })
})

describe('what one user does there without end', () => {
  let user: BuiltUser
  const change = (client: TestClient, from: string, to: string) =>
    client.raw('/api/auth/password', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ current_password: from, new_password: to }),
    })

  test('is bounded: sign-ins and new passwords, and others are not hindered', async () => {
    user = await buildUser(server)
    const { password, username } = user
    // Signing in was the first.
    expect((await change(user, password, 'another password')).status).toBe(200)
    expect((await change(user, 'another password', password)).status).toBe(200)
    // As if they had been made: each takes as long as a password takes to be hashed.
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

test('an administrator can still not make a user there', async () => {
  const user = { username: 'new', email: 'new@example.org', role: 'user' }
  await expect((await signInAdmin()).call(createUser, user)).rejects.toMatchObject({ status: 507 })
})
