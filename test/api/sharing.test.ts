/** Giving users and groups access, changing and ending it, and what others see of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFiles, moveFile } from '../../src/api/files.ts'
import { removeGroupMember } from '../../src/api/groups.ts'
import {
  createShare,
  deleteShare,
  findPeople,
  listAccess,
  listReceived,
  updateShare,
  updateSharingSettings,
} from '../../src/api/shares.ts'
import { trashFile } from '../../src/api/trash.ts'
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
  disableUser,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient
let owner: BuiltUser
let anna: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  owner = await buildUser(server)
  anna = await buildUser(server)
})
afterAll(() => server.close())

const refusal = (promise: Promise<unknown>): Promise<{ status: number; code: string }> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    ({ status, code }) => ({ status, code }),
  )
const received = async (client: TestClient) => (await client.call(listReceived, {})).shares
const seesNothing = { status: 404, code: 'not_found' }

describe('a share', () => {
  test('gives access to the item and all below it, and to nothing beside or above', async () => {
    const outer = await buildFolder(owner)
    const folder = await buildFolder(owner, undefined, outer.id)
    const inner = await buildFolder(owner, undefined, folder.id)
    const file = await buildFile(owner, { parent_id: inner.id })
    const beside = await buildFile(owner, { parent_id: outer.id })
    await buildShare(owner, folder, anna, 'view')
    for (const { id } of [folder, inner, file]) expect((await anna.call(getFile, { id })).file.id).toBe(id)
    for (const { id } of [outer, beside]) expect(await refusal(anna.call(getFile, { id }))).toEqual(seesNothing)
  })

  test('follows a move at once: what moves in is shared, what moves out is not', async () => {
    const folder = await buildFolder(owner)
    const file = await buildFile(owner)
    await buildShare(owner, folder, anna, 'view')
    await owner.call(moveFile, { id: file.id, parent_id: folder.id })
    expect((await anna.call(getFile, { id: file.id })).file.path).toBe(`/${file.name}`)
    await owner.call(moveFile, { id: file.id, parent_id: null })
    expect(await refusal(anna.call(getFile, { id: file.id }))).toEqual(seesNothing)
  })

  test('ends at the next request when it is revoked', async () => {
    const folder = await buildFolder(owner)
    const share = await buildShare(owner, folder, anna, 'view')
    const etag = (await anna.raw(`/api/files?parent_id=${folder.id}`)).headers.get('etag') ?? ''
    const again = () => anna.raw(`/api/files?parent_id=${folder.id}`, { headers: { 'if-none-match': etag } })
    expect((await again()).status).toBe(304)
    await owner.call(deleteShare, { id: share.id })
    expect((await again()).status).toBe(404)
  })

  test('ends at its time', async () => {
    const folder = await buildFolder(owner)
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
    const grantee = { item_id: folder.id, user_id: anna.id, level: 'view' } as const
    const { share } = await owner.call(createShare, { ...grantee, expires_at: inSeconds(3600) })
    expect((await anna.call(listFiles, { parent_id: folder.id })).total).toBe(0)
    await owner.call(updateShare, { id: share.id, expires_at: inSeconds(0.4) })
    await expect
      .poll(async () => (await anna.raw(`/api/files?parent_id=${folder.id}`)).status, { timeout: 30_000 })
      .toBe(404)
    const { access } = await owner.call(listAccess, { id: folder.id })
    expect(access[1]).toMatchObject({ works: false, reason: 'expired' })
  })

  test('is one for each grantee: giving it again changes the level', async () => {
    const folder = await buildFolder(owner)
    const first = await buildShare(owner, folder, anna, 'view')
    const input = { item_id: folder.id, user_id: anna.id, level: 'edit' }
    const body = JSON.stringify(input)
    const again = await owner.raw('/api/shares', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect([again.status, (await again.json()).data.share]).toMatchObject([200, { id: first.id, level: 'edit' }])
  })

  test('that has ended works without an end when it is given again without one', async () => {
    const folder = await buildFolder(owner)
    const { id } = await buildShare(owner, folder, anna, 'view')
    const { db } = server.deps
    await db.touch(() => db.change('UPDATE shares SET expires_at = 1 WHERE id = $1', [id]))
    expect(await refusal(anna.call(getFile, { id: folder.id }))).toEqual(seesNothing)
    expect(await buildShare(owner, folder, anna, 'view')).toMatchObject({ id, expires_at: null })
    expect((await anna.call(getFile, { id: folder.id })).file.id).toBe(folder.id)
  })

  test('that still works keeps its end when it is given again without one', async () => {
    const folder = await buildFolder(owner)
    const input = {
      item_id: folder.id,
      user_id: anna.id,
      level: 'view',
      expires_at: '2099-12-31T23:59:59.000Z',
    } as const
    await owner.call(createShare, input)
    const again = await buildShare(owner, folder, anna, 'edit')
    expect(again).toMatchObject({ level: 'edit', expires_at: input.expires_at })
  })

  test('adds to another: who may view all may also hand in where that is given', async () => {
    const folder = await buildFolder(owner)
    await buildFile(owner, { parent_id: folder.id, name: 'seen.txt' })
    await buildShare(owner, folder, { group_id: (await buildGroup(admin, [anna])).id }, 'upload')
    await buildShare(owner, folder, anna, 'view')
    const listing = await anna.call(listFiles, { parent_id: folder.id })
    expect(listing).toMatchObject({
      total: 1,
      may: { see: true, add: true, change: false, organise: false, trash: false, share: false },
    })
    expect((await anna.upload('more', { parent_id: folder.id, name: 'more.txt' })).name).toBe('more.txt')
  })

  test('with a group reaches its members, and ends for who leaves it', async () => {
    const folder = await buildFolder(owner)
    const member = await buildUser(server)
    const group = await buildGroup(admin, [member])
    await buildShare(owner, folder, { group_id: group.id }, 'view')
    expect((await member.call(getFile, { id: folder.id })).file.id).toBe(folder.id)
    expect(await refusal(anna.call(getFile, { id: folder.id }))).toEqual(seesNothing)
    await admin.call(removeGroupMember, { id: group.id, user_id: member.id })
    expect(await refusal(member.call(getFile, { id: folder.id }))).toEqual(seesNothing)
  })

  test('with everyone reaches each active user, as long as the settings allow it', async () => {
    const folder = await buildFolder(owner)
    const { groups } = await owner.call(findPeople, { q: 'everyone' })
    const share = await buildShare(owner, folder, { group_id: groups[0]?.id ?? 0 }, 'view')
    expect((await anna.call(getFile, { id: folder.id })).file.id).toBe(folder.id)
    await admin.call(updateSharingSettings, { everyone: false })
    expect(await refusal(anna.call(getFile, { id: folder.id }))).toEqual(seesNothing)
    expect((await owner.call(findPeople, { q: 'everyone' })).groups).toEqual([])
    await admin.call(updateSharingSettings, { everyone: true })
    expect((await anna.call(getFile, { id: folder.id })).file.id).toBe(folder.id)
    await owner.call(deleteShare, { id: share.id })
  })

  test('with everyone reaches nobody by a row of members while the settings forbid it', async () => {
    const folder = await buildFolder(owner)
    const { groups } = await owner.call(findPeople, { q: 'everyone' })
    const everyone = groups[0]?.id ?? 0
    const share = await buildShare(owner, folder, { group_id: everyone }, 'view')
    await admin.call(updateSharingSettings, { everyone: false })
    const { db } = server.deps
    await db.touch(() => db.insertAll(db.groupMembers, [{ user_id: anna.id, group_id: everyone, created_at: 0 }]))
    expect(await refusal(anna.call(getFile, { id: folder.id }))).toEqual(seesNothing)
    expect((await received(anna)).map(({ id }) => id)).not.toContain(share.id)
    await db.touch(() => db.change('DELETE FROM group_members WHERE group_id = $1', [everyone]))
    await admin.call(updateSharingSettings, { everyone: true })
    await owner.call(deleteShare, { id: share.id })
  })

  test('sleeps while sharing with people is off, except in team folders', async () => {
    const folder = await buildFolder(owner)
    await buildShare(owner, folder, anna, 'view')
    const team = await buildTeam(admin, anna)
    await admin.call(updateSharingSettings, { people: false })
    expect(await refusal(anna.call(getFile, { id: folder.id }))).toEqual(seesNothing)
    expect((await anna.call(getFile, { id: team.folder_id })).file.id).toBe(team.folder_id)
    const input = { item_id: folder.id, user_id: anna.id, level: 'view' } as const
    expect(await refusal(owner.call(createShare, input))).toEqual({ status: 403, code: 'forbidden' })
    expect((await owner.call(listAccess, { id: folder.id })).access[1]).toMatchObject({ works: false, reason: 'off' })
    await admin.call(updateSharingSettings, { people: true })
    expect((await anna.call(getFile, { id: folder.id })).file.id).toBe(folder.id)
  })

  test('goes on while its owner is disabled, and sleeps while its user is', async () => {
    const giver = await buildUser(server)
    const folder = await buildFolder(giver)
    await buildShare(giver, folder, anna, 'view')
    const { id } = await buildUser(server)
    await buildShare(giver, folder, { id }, 'view')
    await disableUser(server, id)
    const { access } = await giver.call(listAccess, { id: folder.id })
    expect(access.map(({ works, reason }) => [works, reason])).toEqual([
      [true, null],
      [true, null],
      [false, 'disabled'],
    ])
    await admin.call(updateUser, { id: giver.id, is_active: false })
    expect((await anna.call(getFile, { id: folder.id })).file.id).toBe(folder.id)
  })

  test('is gone with the item, also when a new one has its name', async () => {
    const folder = await buildFolder(owner, 'comes again')
    await buildShare(owner, folder, anna, 'view')
    await owner.call(trashFile, { id: folder.id })
    expect(await refusal(anna.call(getFile, { id: folder.id }))).toEqual(seesNothing)
    expect((await received(anna)).map(({ item }) => item.id)).not.toContain(folder.id)
    await owner.raw(`/api/files/${folder.id}/permanent`, { method: 'DELETE' })
    const again = await buildFolder(owner, 'comes again')
    expect(await refusal(anna.call(getFile, { id: again.id }))).toEqual(seesNothing)
  })
})
