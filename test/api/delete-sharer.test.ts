/** Deleting users who share, to whom something is shared, or who manage team folders. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFile, listFiles, moveFile } from '../../src/api/files.ts'
import { listLinks, updateLink } from '../../src/api/links.ts'
import { listAccess, listReceived } from '../../src/api/shares.ts'
import { deleteSpace, listSpaces } from '../../src/api/spaces.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser } from '../../src/api/users.ts'
import { decideFile } from '../../src/api/validation.ts'
import { runFsck } from '../commands/fsck-run.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildReviewer,
  buildShare,
  buildTag,
  buildTeam,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

const refusal = (promise: Promise<unknown>): Promise<{ status: number; code: string }> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    ({ status, code }) => ({ status, code }),
  )
const build = () => buildUser(server)

test('a transfer keeps shares, and the files that others have put there; the receiver’s own share ends', async () => {
  const [giver, heir, anna] = [await build(), await build(), await build()]
  const folder = await buildFolder(giver)
  for (const user of [heir, anna]) await buildShare(giver, folder, user, 'edit')
  const hers = await buildFile(anna, { parent_id: folder.id })
  const tag = await buildTag(anna)
  await anna.call(tagFiles, { tag_id: tag.id, file_ids: [hers.id] })
  await admin.call(deleteUser, { id: giver.id, files: 'transfer', to: heir.id })
  const { access } = await heir.call(listAccess, { id: folder.id })
  expect(access.map(({ who }) => [who.kind, who.id])).toEqual([
    ['owner', heir.id],
    ['user', anna.id],
  ])
  expect((await anna.call(getFile, { id: hers.id })).file).toMatchObject({
    owner_id: anna.id,
    tags: [{ id: tag.id }],
    place: { from: heir.username },
  })
  expect((await anna.call(listReceived, {})).shares).toMatchObject([{ from: { id: heir.id } }])
})

test('a transfer keeps links, which pause until the receiver takes them over', async () => {
  const [giver, heir] = [await build(), await build()]
  const folder = await buildFolder(giver)
  const { id, token } = await buildLink(giver, folder)
  const statusOf = async () => (await openVisitor(server.url, token).raw('')).status
  await admin.call(deleteUser, { id: giver.id, files: 'transfer', to: heir.id })
  const { links } = await heir.call(listLinks, { item_id: folder.id })
  expect(links).toMatchObject([{ id, token, made_by: null, works: false, reason: 'maker' }])
  expect(await statusOf()).toBe(404)
  const { link } = await heir.call(updateLink, { id, take_over: true })
  expect(link).toMatchObject({ made_by: { id: heir.id }, works: true, reason: null })
  expect(await statusOf()).toBe(200)
})

test('links end with their item: with a user and the files, with a team folder, and when it is deleted for good', async () => {
  const [gone, user] = [await build(), await build()]
  const team = await buildTeam(admin, user)
  const [one, two, three] = [
    await buildLink(gone, await buildFolder(gone)),
    await buildLink(user, await buildFolder(user, 'in a team', team.folder_id)),
    await buildLink(user, await buildFolder(user)),
  ]
  await admin.call(deleteUser, { id: gone.id, files: 'delete' })
  await admin.call(deleteSpace, { id: team.id, files: 'delete' })
  await user.call(trashFile, { id: three.item_id })
  await user.call(deleteFile, { id: three.item_id })
  for (const { token } of [one, two, three]) expect((await openVisitor(server.url, token).raw('')).status).toBe(404)
  const ids = [one, two, three].map(({ id }) => id).join()
  expect(await server.deps.db.rows(`SELECT id FROM links WHERE id IN (${ids})`)).toEqual([])
})

test('a folder that an editor made and its owner took to the top is transferred like any other', async () => {
  const [giver, heir, anna] = [await build(), await build(), await build()]
  const shared = await buildFolder(giver)
  await buildShare(giver, shared, anna, 'edit')
  const made = await buildFolder(anna, 'made by anna', shared.id)
  const file = await buildFile(anna, { parent_id: made.id })
  await giver.call(moveFile, { id: made.id, parent_id: null })
  await admin.call(deleteUser, { id: giver.id, files: 'transfer', to: heir.id })
  const path = `/${giver.username}/made by anna/${file.name}`
  expect((await heir.call(getFile, { id: file.id })).file).toMatchObject({ path, owner_id: anna.id })
})

test('what a deleted user has put into others’ places stays there; held, it is for reviewers alone', async () => {
  const [owner, gone] = [await build(), await build()]
  const reviewer = await buildReviewer(server)
  const folder = await buildFolder(owner)
  await buildShare(owner, folder, gone, 'edit')
  const approved = await buildFile(gone, { parent_id: folder.id })
  await turnSettings(admin, { validation_enabled: true })
  const held = await buildFile(gone, { parent_id: folder.id })
  await turnSettings(admin, { validation_enabled: false })
  await admin.call(deleteUser, { id: gone.id })
  const { files, held: count } = await owner.call(listFiles, { parent_id: folder.id })
  expect(files.map(({ id, owner_id }) => [id, owner_id])).toEqual([[approved.id, owner.id]])
  expect(count).toBe(1)
  expect((await refusal(owner.call(getFile, { id: held.id }))).status).toBe(404)
  await reviewer.call(decideFile, { file_id: held.id, status: 'approved' })
  expect((await owner.call(getFile, { id: held.id })).file.owner_name).toBe(owner.username)
})

test.each([1, 0])('a transfer of %i own files makes one folder for them, also if some lie elsewhere', async own => {
  const [giver, heir, owner] = [await build(), await build(), await build()]
  const shared = await buildFolder(owner)
  await buildShare(owner, shared, giver, 'edit')
  await buildFile(giver, { parent_id: shared.id })
  if (own > 0) await buildFile(giver)
  await admin.call(deleteUser, { id: giver.id, files: 'transfer', to: heir.id })
  const { folders } = await heir.call(listFiles, {})
  expect(folders.map(({ name }) => name)).toEqual(own > 0 ? [giver.username] : [])
})

test('the only manager of a team folder is deleted only if another one is named', async () => {
  const [manager, heir] = [await build(), await build()]
  const team = await buildTeam(admin, manager)
  const file = await buildFile(manager, { parent_id: team.folder_id })
  expect(await refusal(admin.call(deleteUser, { id: manager.id }))).toEqual({ status: 409, code: 'in_use' })
  await admin.call(deleteUser, { id: manager.id, spaces_to: heir.id })
  expect((await heir.call(listSpaces, {})).spaces).toMatchObject([{ id: team.id, level: 'manage' }])
  expect((await heir.call(getFile, { id: file.id })).file.owner_id).toBe(heir.id)
})

test('after all that fsck finds nothing', async () => {
  const user: BuiltUser = await build()
  await buildFile(user)
  expect((await runFsck(server)).findings).toEqual([])
})
