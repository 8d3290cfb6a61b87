/** A key that expires gives nobody rights that go on after it: no membership, no team folder, no share. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addGroupMember, createGroup, updateGroup } from '../../src/api/groups.ts'
import { permissionKeys } from '../../src/api/permissions.ts'
import { createShare, updateShare } from '../../src/api/shares.ts'
import { createSpace, updateSpace } from '../../src/api/spaces.ts'
import { deleteUser } from '../../src/api/users.ts'
import type { TestClient } from '../support/client.ts'
import { type BuiltUser, buildFolder, buildKey, buildShare, buildTeam, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let other: BuiltUser
let key: TestClient
const day = 24 * 60 * 60 * 1000
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString()

beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  other = await buildUser(server)
  const permissions = permissionKeys.filter(name => name !== 'validation:review')
  key = await buildKey(server, admin, permissions, 'script', { expires_in: 2 })
})
afterAll(() => server.close())

const forbidden = { status: 403, code: 'forbidden' }

test('an expiring key adds no member to a group, and makes groups without any', async () => {
  const { group } = await key.call(createGroup, { name: 'Empty' })
  const members = { member_ids: [other.id] }
  await expect(key.call(createGroup, { name: 'Full', ...members })).rejects.toMatchObject(forbidden)
  await expect(key.call(updateGroup, { id: group.id, ...members })).rejects.toMatchObject(forbidden)
  const member = { id: group.id, user_id: other.id }
  await expect(key.call(addGroupMember, member)).rejects.toMatchObject(forbidden)
  await admin.call(addGroupMember, member)
})

test('an expiring key appoints no manager', async () => {
  await expect(key.call(createSpace, { name: 'Team' })).rejects.toMatchObject(forbidden)
  const team = await buildTeam(admin, admin)
  const change = { id: team.id, manager_ids: [admin.id, other.id] }
  await expect(key.call(updateSpace, change)).rejects.toMatchObject(forbidden)
  await admin.call(updateSpace, change)
  // Taking the right away gives nothing.
  await key.call(updateSpace, { id: team.id, manager_ids: [admin.id] })
})

test('an expiring key hands no team folder over to another user with the deletion of its manager', async () => {
  const manager = await buildUser(server)
  await buildTeam(admin, manager)
  const deletion = { id: manager.id, spaces_to: other.id }
  await expect(key.call(deleteUser, deletion)).rejects.toMatchObject(forbidden)
  await admin.call(deleteUser, deletion)
})

test('an expiring key does not let editors make links, which have no end', async () => {
  const { id } = await buildTeam(admin, admin)
  await expect(key.call(updateSpace, { id, editors_may_link: true })).rejects.toMatchObject(forbidden)
  await admin.call(updateSpace, { id, editors_may_link: true })
  // What is so already may be said again, and taken back.
  await key.call(updateSpace, { id, editors_may_link: true })
  await key.call(updateSpace, { id, editors_may_link: false })
})

test('the shares that an expiring key gives or changes end with it at the latest', async () => {
  const folder = await buildFolder(admin)
  const share = { item_id: folder.id, user_id: other.id, level: 'view' as const }
  for (const end of [{}, { expires_at: inDays(3) }]) {
    await expect(key.call(createShare, { ...share, ...end })).rejects.toMatchObject(forbidden)
  }
  const given = await key.call(createShare, { ...share, expires_at: inDays(1) })
  for (const expires_at of [null, inDays(3)]) {
    await expect(key.call(updateShare, { id: given.share.id, expires_at })).rejects.toMatchObject(forbidden)
  }
  const lasting = await buildShare(admin, await buildFolder(admin), other, 'view')
  await expect(key.call(updateShare, { id: lasting.id, level: 'edit' })).rejects.toMatchObject(forbidden)
})
