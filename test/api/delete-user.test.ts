/** Deleting a user, with the three ways to treat the user's files. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { downloadFile } from '../../src/api/content.ts'
import { favoriteFile, getFile, getFileByPath, listFavorites, listFiles, setFileMetadata } from '../../src/api/files.ts'
import { createTag, tagFiles } from '../../src/api/tags.ts'
import { listTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser, listUsers, type User, updateUser } from '../../src/api/users.ts'
import { failure, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildChain,
  buildField,
  buildFile,
  buildFolder,
  buildKey,
  buildUser,
} from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { expectTrueCounters, largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser

beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

const findUser = async (id: number): Promise<User | undefined> =>
  (await admin.call(listUsers, {})).users.find(user => user.id === id)
const isIn = async (client: TestClient): Promise<boolean> => (await client.raw('/api/auth/profile')).status === 200

/** Number of rows that each table still has of a user. */
async function findTraces(id: number): Promise<object | undefined> {
  return server.deps.db.row(
    `SELECT (SELECT COUNT(*) FROM users WHERE id = $1) AS users, (SELECT COUNT(*) FROM spaces WHERE owner_id = $1) AS spaces,
      (SELECT COUNT(*) FROM sessions WHERE user_id = $1) AS sessions, (SELECT COUNT(*) FROM files WHERE owner_id = $1) AS files,
      (SELECT COUNT(*) FROM api_keys WHERE user_id = $1) AS api_keys, (SELECT COUNT(*) FROM tags WHERE owner_id = $1) AS tags`,
    [id],
  )
}
const nothing = { users: 0, spaces: 0, sessions: 0, files: 0, api_keys: 0, tags: 0 }

describe('a user without files', () => {
  test('is deleted with keys, sessions and tags, while the audit log keeps the user’s events', async () => {
    const user = await buildUser(server)
    const key = await buildKey(server, user, ['files:read'])
    await user.call(createTag, { name: 'mine', color: '#112233' })
    expect(await admin.call(deleteUser, { id: user.id })).toBeNull()
    expect(await findTraces(user.id)).toEqual(nothing)
    expect([await isIn(user), await isIn(key)]).toEqual([false, false])
    const events = await server.deps.db.rows<{ action: string }>(
      "SELECT action FROM events WHERE actor_name = $1 OR (action = 'user.delete' AND item_id = $2) ORDER BY id",
      [user.username, user.id],
    )
    expect(events.map(event => event.action)).toEqual([
      'session.sign-in',
      'api-key.create',
      'tag.create',
      'user.delete',
    ])
    await expect(admin.call(deleteUser, { id: user.id })).rejects.toMatchObject({ status: 404 })
    // The name is free again, and a new user of that name does not get the old keys.
    const again = await buildUser(server, { username: user.username })
    expect(again.id).not.toBe(user.id)
    expect(await isIn(key)).toBe(false)
  })
})

describe('a user with files', () => {
  test('is not deleted until the call says what becomes of the files, even when all are trashed', async () => {
    const user = await buildUser(server)
    const file = await buildFile(user)
    await user.call(trashFile, { id: file.id })
    await expect(admin.call(deleteUser, { id: user.id })).rejects.toMatchObject({ status: 409, code: 'in_use' })
    expect(await isIn(user)).toBe(true)
  })

  test.each([
    'files=transfer',
    'to=1',
    'files=delete&to=1',
    'files=keep',
    'files=transfer&to=x',
    'files=transfer&to=1&extra=1',
  ])('is not deleted by an invalid call: %s', async query => {
    const user = await buildUser(server)
    await buildFile(user)
    const response = await admin.raw(`/api/users/${user.id}?${query}`, { method: 'DELETE' })
    expect(await failure(response)).toMatchObject({ status: 400, error: 'invalid_input' })
    expect(await isIn(user)).toBe(true)
  })
})

describe('deleting a user with files=delete', () => {
  test('deletes all items, trash and bytes included, except bytes that other users share', async () => {
    const before = await readHoldings(server)
    const [user, other] = [await buildUser(server), await buildUser(server)]
    const shared = largeContent()
    const folder = await buildFolder(user)
    await buildFile(user, { parent_id: folder.id }, shared)
    await buildFile(user, { parent_id: (await buildChain(user, 3, folder.id)).at(-1) }, largeContent())
    const trashed = await buildFolder(user)
    await buildFile(user, { parent_id: trashed.id }, largeContent())
    const deeper = await buildFile(user, { parent_id: trashed.id }, 'trashed by itself, and before')
    await user.call(trashFile, { id: deeper.id })
    await user.call(trashFile, { id: trashed.id })
    await buildFile(other, {}, shared)
    await admin.call(deleteUser, { id: user.id, files: 'delete' })
    expect(await findTraces(user.id)).toEqual(nothing)
    const after = await readHoldings(server)
    expect(after).toMatchObject({
      files: before.files + 1,
      blobs: before.blobs + 1,
      storageUsed: before.storageUsed + shared.length,
    })
    await expect.poll(async () => (await readHoldings(server)).keys).toHaveLength(before.keys.length + 1)
  })
})

describe('deleting a user with files=transfer', () => {
  const give = (from: BuiltUser, to: BuiltUser) => admin.call(deleteUser, { id: from.id, files: 'transfer', to: to.id })

  test('moves the tree into a folder in the receiver’s root that is named after the user', async () => {
    const [user, receiver] = [await buildUser(server), await buildUser(server)]
    const [docs] = [await buildFolder(user, 'Docs')]
    const deep = await buildFolder(user, 'Deep', docs.id)
    const file = await buildFile(user, { name: 'a.txt', parent_id: deep.id }, 'what is in it')
    const root = await buildFile(user, { name: 'root.txt' })
    await give(user, receiver)
    expect(await findTraces(user.id)).toEqual(nothing)
    const moved = await receiver.call(getFileByPath, { path: `/${user.username}/Docs/Deep/a.txt` })
    expect(moved.file).toMatchObject({
      id: file.id,
      owner_id: receiver.id,
      sha256: file.sha256,
      updated_at: file.updated_at,
    })
    expect((await receiver.call(getFile, { id: root.id })).file.path).toBe(`/${user.username}/root.txt`)
    const listing = await receiver.call(listFiles, {})
    expect(listing.folders.map(({ name }) => name)).toEqual([user.username])
    const response = await receiver.raw(`/api${downloadFile.path.replace(':id', String(file.id))}`)
    expect(await response.text()).toBe('what is in it')
    await expectTrueCounters(server, receiver)
  })

  test('keeps metadata and status, and drops tags and favorites', async () => {
    const [user, receiver] = [await buildUser(server), await buildUser(server)]
    const field = await buildField(admin)
    const file = await buildFile(user)
    await user.call(setFileMetadata, { id: file.id, metadata: [{ field_id: field.id, value: 'kept' }] })
    const { tag } = await user.call(createTag, { name: 'dropped', color: '#112233' })
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    await user.call(favoriteFile, { id: file.id, is_favorite: true })
    const { db } = server.deps
    await db.touch(() => db.change("UPDATE files SET validation_status = 'rejected' WHERE id = $1", [file.id]))
    await give(user, receiver)
    const { file: moved } = await receiver.call(getFile, { id: file.id })
    expect(moved).toMatchObject({ tags: [], is_favorite: false, validation_status: 'rejected' })
    expect(moved.metadata).toMatchObject([{ field_id: field.id, value: 'kept' }])
    expect((await receiver.call(listFavorites, {})).files).toEqual([])
  })

  test('moves the trash into the receiver’s trash, and restoring puts it into that folder', async () => {
    const [user, receiver] = [await buildUser(server), await buildUser(server)]
    const folder = await buildFolder(user, 'Trashed')
    const inside = await buildFile(user, { name: 'inside.txt', parent_id: folder.id })
    await user.call(trashFile, { id: folder.id })
    await give(user, receiver)
    expect((await receiver.call(listTrash, {})).files.map(({ id }) => id)).toEqual([folder.id])
    expect((await receiver.call(listFiles, {})).folders).toHaveLength(1)
    await receiver.call(restoreFile, { id: folder.id })
    expect((await receiver.call(getFile, { id: inside.id })).file.path).toBe(`/${user.username}/Trashed/inside.txt`)
  })

  test('gives the folder a free and valid name', async () => {
    const receiver = await buildUser(server)
    const names: [string, string][] = [
      ['taken', 'taken (1)'],
      ['a/b', 'a_b'],
      ['..', 'user-\\d+'],
    ]
    await buildFolder(receiver, 'taken')
    for (const [username, folder] of names) {
      const user = await buildUser(server, { username })
      await buildFile(user)
      await give(user, receiver)
      const { folders } = await receiver.call(listFiles, {})
      expect(folders.some(({ name }) => new RegExp(`^${folder.replace(/[()]/g, '\\$&')}$`).test(name))).toBe(true)
    }
  })

  test('is 413 and changes nothing when it would exceed the receiver’s quota', async () => {
    const [user, receiver] = [await buildUser(server), await buildUser(server, { storageQuota: 1000 })]
    const file = await buildFile(user, {}, Buffer.alloc(1001))
    await expect(give(user, receiver)).rejects.toMatchObject({ status: 413, code: 'quota_exceeded' })
    expect((await user.call(getFile, { id: file.id })).file.path).toBe(`/${file.name}`)
    expect((await user.call(listFiles, {})).total).toBe(1)
    expect((await receiver.call(listFiles, {})).total).toBe(0)
    await admin.call(updateUser, { id: receiver.id, storage_quota: 1001 })
    await give(user, receiver)
    expect(await findUser(receiver.id)).toMatchObject({ storage_used: 1001 })
  })

  test('is refused when the receiver is the user, unknown or disabled', async () => {
    const [user, receiver] = [await buildUser(server), await buildUser(server)]
    await buildFile(user)
    await expect(give(user, user)).rejects.toMatchObject({ status: 400, fields: { to: expect.any(String) } })
    const unknown = admin.call(deleteUser, { id: user.id, files: 'transfer', to: 999_999 })
    await expect(unknown).rejects.toMatchObject({ status: 404 })
    await admin.call(updateUser, { id: receiver.id, is_active: false })
    await expect(give(user, receiver)).rejects.toMatchObject({ status: 400, fields: { to: expect.any(String) } })
    expect(await isIn(user)).toBe(true)
  })

  test('is refused when the tree is too deep for one more folder around it', async () => {
    const [user, receiver] = [await buildUser(server), await buildUser(server)]
    const folders = await buildChain(user, 100)
    await expect(give(user, receiver)).rejects.toMatchObject({ status: 400, fields: { to: /100 levels/ } })
    await user.call(trashFile, { id: folders.at(-1) ?? 0 })
    await give(user, receiver)
    expect((await receiver.call(getFile, { id: folders.at(-2) ?? 0 })).file.path.split('/')).toHaveLength(101)
  })

  test('shows in the receiver’s listing at once, even when a client has an older ETag', async () => {
    const [user, receiver] = [await buildUser(server), await buildUser(server)]
    await buildFile(user)
    const etag = (await receiver.raw('/api/files')).headers.get('etag') ?? ''
    await give(user, receiver)
    const response = await receiver.raw('/api/files', { headers: { 'if-none-match': etag } })
    expect(response.status).toBe(200)
  })

  test('keeps the bytes unchanged', async () => {
    const [user, receiver] = [await buildUser(server), await buildUser(server)]
    const bytes = largeContent()
    const file = await buildFile(user, {}, bytes)
    await give(user, receiver)
    const response = await receiver.raw(`/api/files/${file.id}/download`)
    const received = Buffer.from(await response.arrayBuffer())
    expect(createHash('sha256').update(received).digest('hex')).toBe(file.sha256)
    expect(received.equals(bytes)).toBe(true)
  })
})
