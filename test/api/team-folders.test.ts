/** Team folders: made by who manages them all, run by their managers, with a quota of their own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFileEvents, listFiles, renameFile } from '../../src/api/files.ts'
import { deleteGroup, getGroup, removeGroupMember, updateGroup } from '../../src/api/groups.ts'
import { createShare, deleteShare, listAccess, updateShare } from '../../src/api/shares.ts'
import { createSpace, deleteSpace, listSpaces, updateSpace } from '../../src/api/spaces.ts'
import { emptyTrash, listTrash, trashFile } from '../../src/api/trash.ts'
import { updateUser } from '../../src/api/users.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildGroup,
  buildShare,
  buildTeam,
  buildUser,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient
let manager: BuiltUser
let member: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  manager = await buildUser(server)
  member = await buildUser(server)
})
afterAll(() => server.close())

const refusal = (promise: Promise<unknown>): Promise<{ status: number; code: string }> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    ({ status, code }) => ({ status, code }),
  )
const isProtected = { status: 409, code: 'protected' }
const isForbidden = { status: 403, code: 'forbidden' }

describe('a team folder', () => {
  test('is a folder at the top of a space of its own, with its quota', async () => {
    const { space } = await admin.call(createSpace, {
      name: 'Accounts',
      storage_quota: 50_000,
      manager_ids: [manager.id],
    })
    expect(space).toMatchObject({ name: 'Accounts', level: null, via: null, storage_quota: 50_000, member_count: 1 })
    const { file } = await manager.call(getFile, { id: space.folder_id })
    expect(file).toMatchObject({
      path: '/',
      parent_id: null,
      place: { kind: 'team', id: space.folder_id, name: 'Accounts', from: null },
      may: { see: true, add: true, change: true, organise: false, trash: false, share: true },
    })
    await buildFile(manager, { parent_id: space.folder_id }, Buffer.alloc(40_000))
    const over = manager.upload(Buffer.alloc(20_000), { parent_id: space.folder_id, name: 'over.bin' })
    expect(await refusal(over)).toEqual({ status: 413, code: 'quota_exceeded' })
    expect((await manager.call(listSpaces, {})).spaces).toMatchObject([{ storage_used: 40_000, level: 'manage' }])
  })

  test('belongs to the caller unless others are named, and is unknown to everybody else', async () => {
    const { space } = await admin.call(createSpace, { name: 'Of the admin' })
    expect(space).toMatchObject({ level: 'manage', via: 'member' })
    expect((await refusal(member.call(getFile, { id: space.folder_id }))).status).toBe(404)
    expect((await refusal(member.call(createSpace, { name: 'None' }))).status).toBe(403)
    const all = (await admin.call(listSpaces, { all: 'true' })).spaces
    expect(all.map(({ id }) => id)).toContain(space.id)
    expect((await refusal(member.call(listSpaces, { all: 'true' }))).status).toBe(403)
  })

  test('counts a member once, whatever groups bring them', async () => {
    const team = await buildTeam(admin, manager)
    const [one, two] = [await buildGroup(admin, [member, manager]), await buildGroup(admin, [member])]
    await buildShare(manager, { id: team.folder_id }, { group_id: one.id }, 'view')
    await buildShare(manager, { id: team.folder_id }, { group_id: two.id }, 'edit')
    const spaces = (await member.call(listSpaces, {})).spaces
    expect(spaces.find(({ id }) => id === team.id)).toMatchObject({ level: 'edit', via: 'group', member_count: 2 })
  })

  test('is renamed by its managers alone, and never moved or trashed', async () => {
    const team = await buildTeam(admin, manager)
    await buildShare(manager, { id: team.folder_id }, member, 'edit')
    const { space } = await manager.call(updateSpace, { id: team.id, name: 'New name', editors_may_link: true })
    expect(space).toMatchObject({ name: 'New name', editors_may_link: true })
    expect(await refusal(member.call(updateSpace, { id: team.id, name: 'x' }))).toEqual(isForbidden)
    expect(await refusal(admin.call(updateSpace, { id: team.id, name: 'x' }))).toEqual(isForbidden)
    expect(await refusal(manager.call(updateSpace, { id: team.id, storage_quota: 1 }))).toEqual(isForbidden)
    for (const client of [manager, member]) {
      expect(await refusal(client.call(renameFile, { id: team.folder_id, name: 'x' }))).toEqual(isForbidden)
      expect(await refusal(client.call(trashFile, { id: team.folder_id }))).toEqual(isForbidden)
    }
  })

  test('keeps an active manager whose access does not end', async () => {
    const team = await buildTeam(admin, manager)
    const root = { id: team.folder_id }
    const { access } = await manager.call(listAccess, root)
    const own = access[0]?.share_id ?? 0
    expect(await refusal(manager.call(deleteShare, { id: own }))).toEqual(isProtected)
    expect(await refusal(manager.call(updateShare, { id: own, level: 'edit' }))).toEqual(isProtected)
    const expires_at = new Date(Date.now() + 1e8).toISOString()
    expect(await refusal(manager.call(updateShare, { id: own, expires_at }))).toEqual(isProtected)
    await buildShare(manager, root, member, 'manage')
    await manager.call(deleteShare, { id: own })
    expect((await refusal(manager.call(getFile, root))).status).toBe(404)
  })

  test('of two last managers who leave at once, one stays', async () => {
    const team = await buildTeam(admin, manager)
    await buildShare(manager, { id: team.folder_id }, member, 'manage')
    const { access } = await manager.call(listAccess, { id: team.folder_id })
    const leave = (client: BuiltUser) => {
      const share = access.find(({ who }) => who.id === client.id)?.share_id ?? 0
      return client.raw(`/api/shares/${share}`, { method: 'DELETE' })
    }
    const answers = await Promise.all([leave(manager), leave(member)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('gets managers from who manages all team folders, also itself, which its members see', async () => {
    const team = await buildTeam(admin, manager)
    const profile = (await (await admin.raw('/api/auth/profile')).json()).data
    expect((await refusal(admin.call(getFile, { id: team.folder_id }))).status).toBe(404)
    const { space } = await admin.call(updateSpace, { id: team.id, manager_ids: [profile.id, member.id] })
    expect(space.managers.map(({ id }) => id).sort()).toEqual([profile.id, member.id].sort())
    expect((await manager.call(getFile, { id: team.folder_id })).file.may.share).toBe(false)
    const { events } = await manager.call(listFileEvents, { id: team.folder_id })
    expect(events.map(({ action, detail }) => [action, detail?.who, detail?.level])).toContainEqual([
      'share.create',
      profile.username,
      'manage',
    ])
  })

  test('has a trash of its own, listed by who may change it and emptied by managers', async () => {
    const team = await buildTeam(admin, manager)
    const root = { id: team.folder_id }
    const viewer = await buildUser(server)
    await buildShare(manager, root, member, 'edit')
    await buildShare(manager, root, viewer, 'view')
    const file = await buildFile(member, { parent_id: root.id })
    await member.call(trashFile, { id: file.id })
    expect((await member.call(listTrash, { folder_id: root.id })).files.map(({ id }) => id)).toEqual([file.id])
    expect((await member.call(listTrash, {})).total).toBe(0)
    expect(await refusal(viewer.call(listTrash, { folder_id: root.id }))).toEqual(isForbidden)
    expect(await refusal(member.call(emptyTrash, { folder_id: root.id }))).toEqual(isForbidden)
    const own = await buildFolder(manager)
    expect((await refusal(manager.call(listTrash, { folder_id: own.id }))).status).toBe(400)
    expect(await manager.call(emptyTrash, { folder_id: root.id })).toEqual({ deleted: 1 })
  })

  test('is deleted with its content only if that is said', async () => {
    const team = await buildTeam(admin, manager)
    const file = await buildFile(manager, { parent_id: team.folder_id })
    expect(await refusal(admin.call(deleteSpace, { id: team.id }))).toEqual({ status: 409, code: 'in_use' })
    expect((await refusal(manager.call(deleteSpace, { id: team.id, files: 'delete' }))).status).toBe(403)
    await admin.call(deleteSpace, { id: team.id, files: 'delete' })
    expect((await refusal(manager.call(getFile, { id: file.id }))).status).toBe(404)
    expect((await admin.call(listSpaces, { all: 'true' })).spaces.map(({ id }) => id)).not.toContain(team.id)
  })

  test('shows a share on a folder in it to who is no member, as a place of its own', async () => {
    const team = await buildTeam(admin, manager)
    const inner = await buildFolder(manager, 'Inner', team.folder_id)
    const guest = await buildUser(server)
    await manager.call(createShare, { item_id: inner.id, user_id: guest.id, level: 'edit' })
    const listing = await guest.call(listFiles, { parent_id: inner.id })
    expect(listing).toMatchObject({
      path: '/',
      breadcrumbs: [],
      folder: { id: inner.id, parent_id: null, place: { kind: 'share', id: inner.id, name: 'Inner', from: team.name } },
      may: { see: true, add: true, change: true, organise: false, trash: false, share: false },
    })
    expect((await refusal(guest.call(listFiles, { parent_id: team.folder_id }))).status).toBe(404)
  })
})

describe('the last active manager of a team folder', () => {
  /** A team folder that a group of one user manages, and nobody else. */
  async function buildManagedByGroup() {
    const [first, last] = [await buildUser(server), await buildUser(server)]
    const group = await buildGroup(admin, [last])
    const team = await buildTeam(admin, first)
    const byGroup = await buildShare(first, { id: team.folder_id }, { group_id: group.id }, 'manage')
    const { access } = await first.call(listAccess, { id: team.folder_id })
    const own = access.find(({ share_id }) => share_id !== null && share_id !== byGroup.id)
    await last.call(deleteShare, { id: own?.share_id ?? expect.fail() })
    return { first, last, group, team }
  }

  test('cannot leave the group by which they manage it, nor can the group be deleted', async () => {
    const { first, last, group } = await buildManagedByGroup()
    expect(await refusal(admin.call(removeGroupMember, { id: group.id, user_id: last.id }))).toEqual(isProtected)
    expect(await refusal(admin.call(updateGroup, { id: group.id, member_ids: [] }))).toEqual(isProtected)
    expect(await refusal(admin.call(deleteGroup, { id: group.id, shares: 'delete' }))).toEqual(isProtected)
    await admin.call(updateGroup, { id: group.id, member_ids: [first.id] })
    expect((await admin.call(getGroup, { id: group.id })).group.members.map(({ id }) => id)).toEqual([first.id])
  })

  test('is disabled at once, and the answer names the team folders that nobody manages then', async () => {
    const { first, last, group, team } = await buildManagedByGroup()
    const disable = async ({ id }: BuiltUser) =>
      (await admin.call(updateUser, { id, is_active: false })).unmanaged_spaces
    expect(await disable(last)).toEqual([{ id: team.id, name: team.name }])
    expect((await last.raw('/api/spaces')).status).toBe(401)
    await admin.call(updateSpace, { id: team.id, manager_ids: [first.id] })
    expect((await first.call(listSpaces, {})).spaces).toMatchObject([{ id: team.id, level: 'manage' }])
    await admin.call(updateUser, { id: last.id, is_active: true })
    expect(await disable(last)).toEqual([])
    await admin.call(deleteGroup, { id: group.id, shares: 'delete' })
    expect(await disable(first)).toEqual([{ id: team.id, name: team.name }])
  })
})
