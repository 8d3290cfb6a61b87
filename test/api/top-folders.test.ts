/** Folders at the top of a user's own files are that user's, whoever made them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFolder, getFile, listFiles } from '../../src/api/files.ts'
import { deleteFile, restoreFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser, updateUser } from '../../src/api/users.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let alice: BuiltUser
let bob: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())
beforeEach(async () => {
  alice = await buildUser(server)
  bob = await buildUser(server)
})

/** Alice's folder that Bob may change, with a folder that he made in it. */
async function buildTogether() {
  const shared = await buildFolder(alice, 'Shared')
  await buildShare(alice, shared, bob, 'edit')
  const { file } = await bob.call(createFolder, { name: 'Of Bob', parent_id: shared.id })
  return { shared, made: file }
}

/** Alice is disabled and enabled again, and signs in. */
async function comeBack(): Promise<void> {
  for (const is_active of [false, true]) await admin.call(updateUser, { id: alice.id, is_active })
  alice = { ...alice, ...(await signIn(server.url, alice.username, alice.password)) }
}

const foldersOf = async (user: BuiltUser) => (await user.call(listFiles, {})).folders.map(({ name }) => name)

test('another user’s folder is restored as the restoring user’s own where its folder is gone', async () => {
  const { shared, made } = await buildTogether()
  await alice.call(trashFile, { id: made.id })
  await alice.call(trashFile, { id: shared.id })
  await alice.call(deleteFile, { id: shared.id })
  await alice.call(restoreFile, { id: made.id })
  expect((await alice.call(getFile, { id: made.id })).file).toMatchObject({
    parent_id: null,
    owner_name: alice.username,
  })
})

test('a user who is enabled again keeps every folder, whoever owns it', async () => {
  const { id } = await buildFolder(alice, 'Kept')
  await buildFile(alice, { parent_id: id })
  await spoilRows(server, `UPDATE files SET owner_id = ${bob.id} WHERE id = ${id}`)
  await comeBack()
  expect([await foldersOf(alice), await foldersOf(bob)]).toEqual([['Kept'], []])
})

test('the files of a deleted user come to another in one folder, and none of them is taken for it', async () => {
  const { id } = await buildFolder(alice, 'Kept')
  await buildFile(alice, { parent_id: id, name: 'inside.txt' })
  await spoilRows(server, `UPDATE files SET owner_id = ${bob.id} WHERE id = ${id}`)
  await admin.call(deleteUser, { id: alice.id, files: 'transfer', to: bob.id })
  const [folder] = (await bob.call(listFiles, {})).folders
  expect(folder?.name).toBe(alice.username)
  expect((await bob.call(listFiles, { parent_id: folder?.id ?? 0 })).folders.map(({ name }) => name)).toEqual(['Kept'])
})

test('a transfer that an older version began goes on, with what has come and what has not', async () => {
  const { id } = await buildFolder(alice, 'Begun')
  const { id: come } = await buildFile(alice, { name: 'come.txt', parent_id: id })
  await buildFile(alice, { name: 'left.txt' })
  const bobs = `(SELECT id FROM spaces WHERE owner_id = ${bob.id})`
  const size = `(SELECT size FROM files WHERE id = ${come})`
  const count = (user: BuiltUser, sign: '+' | '-') =>
    `UPDATE spaces SET item_count = item_count ${sign} 1, storage_used = storage_used ${sign} ${size} WHERE owner_id = ${user.id}`
  await spoilRows(
    server,
    `UPDATE files SET owner_id = ${bob.id} WHERE id IN (${id}, ${come})`,
    `UPDATE files SET space_id = ${bobs} WHERE id = ${come}`,
    count(alice, '-'),
    count(bob, '+'),
    `UPDATE users SET is_active = 0 WHERE id = ${alice.id}`,
  )
  await admin.call(deleteUser, { id: alice.id, files: 'transfer', to: bob.id })
  const [folder] = (await bob.call(listFiles, {})).folders
  expect(folder?.name).toBe(alice.username)
  const inside = await bob.call(listFiles, { parent_id: folder?.id ?? 0 })
  expect([inside.folders, inside.files]).toMatchObject([[{ id }], [{ name: 'left.txt' }]])
  expect((await bob.call(listFiles, { parent_id: id })).files).toMatchObject([{ name: 'come.txt' }])
})
