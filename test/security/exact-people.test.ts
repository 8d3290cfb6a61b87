/** Where people are found by their exact name alone, nobody learns names, or who exists, by counting ids. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createShare, updateSharingSettings } from '../../src/api/shares.ts'
import { createSpace, updateSpace } from '../../src/api/spaces.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFolder,
  buildGroup,
  buildRole,
  buildShare,
  buildUser,
  userRolePermissions,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient
/** Who makes team folders, but does not manage users. */
let keeper: BuiltUser
let other: BuiltUser
let group: { id: number; name: string }
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  keeper = await buildUser(server, { role: await buildRole(server, [...userRolePermissions, 'spaces:manage']) })
  other = await buildUser(server)
  group = await buildGroup(admin, [other])
  await admin.call(updateSharingSettings, { find_people: 'exact' })
})
afterAll(() => server.close())

async function send(client: TestClient, method: string, path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const response = await client.raw(`/api${path}`, { method, headers, body: JSON.stringify(body) })
  const { error, message, fields } = await response.json()
  return { status: response.status, error, message, fields }
}

test('ids of people and groups are refused alike, whether there is somebody or not', async () => {
  const { id: item_id } = await buildFolder(keeper)
  const { space } = await keeper.call(createSpace, { name: 'Keepers' })
  const [share, none] = [{ item_id, level: 'view' }, 888_888]
  const pairs: [method: string, path: string, there: object, missing: object][] = [
    ['POST', '/shares', { ...share, user_id: other.id }, { ...share, user_id: none }],
    ['POST', '/shares', { ...share, group_id: group.id }, { ...share, group_id: none }],
    ['POST', '/spaces', { name: 'New', manager_ids: [other.id] }, { name: 'New', manager_ids: [none] }],
    ['PUT', `/spaces/${space.id}`, { manager_ids: [keeper.id, other.id] }, { manager_ids: [keeper.id, none] }],
  ]
  for (const [method, path, there, missing] of pairs) {
    const found = await send(keeper, method, path, there)
    expect([path, found.status]).toEqual([path, 400])
    expect(found).toEqual(await send(keeper, method, path, missing))
    expect(JSON.stringify(found)).not.toContain(other.username)
    expect(JSON.stringify(found)).not.toContain(group.name)
  }
})

test('people and groups are named by their exact names', async () => {
  const { id: item_id } = await buildFolder(keeper)
  const give = (to: { username: string } | { group_name: string }) =>
    keeper.call(createShare, { item_id, level: 'view', ...to })
  expect((await give({ username: other.username.toUpperCase() })).share.who).toMatchObject({ id: other.id })
  expect((await give({ group_name: group.name })).share.who).toMatchObject({ kind: 'group', id: group.id })
  const { space } = await keeper.call(createSpace, { name: 'Named', manager_names: [other.username] })
  expect(space.managers.map(({ id }) => id)).toEqual([other.id])
  const changed = await keeper.call(updateSpace, { id: space.id, manager_names: [keeper.username, other.username] })
  expect(changed.space.managers).toHaveLength(2)
  for (const to of [{ username: 'nobody' }, { group_name: 'nobody' }]) {
    expect((await send(keeper, 'POST', '/shares', { item_id, level: 'view', ...to })).status).toBe(404)
  }
  const both = { item_id, level: 'view', username: other.username, group_name: group.name }
  expect((await send(keeper, 'POST', '/shares', both)).status).toBe(400)
  const twice = { name: 'Twice', manager_names: [other.username], manager_ids: [other.id] }
  expect((await send(admin, 'POST', '/spaces', twice)).status).toBe(400)
})

test('who manages users, and sees them all anyway, goes on with ids', async () => {
  const share = await buildShare(admin, await buildFolder(admin), other, 'view')
  expect(share.who).toMatchObject({ id: other.id })
})
