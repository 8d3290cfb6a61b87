/** Rights belong to ids: a reused name restores no rights, and a prefix of a name gives none. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getProfile, listSessions } from '../../src/api/auth.ts'
import { favoriteFile, getFile, listFavorites, listFileEvents, listFiles } from '../../src/api/files.ts'
import { createApiKey, deleteApiKey, listApiKeys } from '../../src/api/keys.ts'
import { createField, deleteField } from '../../src/api/metadata.ts'
import { createRole, deleteRole, listPermissions, updateRole } from '../../src/api/roles.ts'
import { searchFiles } from '../../src/api/search.ts'
import { createTag, deleteTag, listFileTags, listTags, tagFiles } from '../../src/api/tags.ts'
import { deleteFile, listTrash, trashFile } from '../../src/api/trash.ts'
import { createUser, deleteUser, updateUser } from '../../src/api/users.ts'
import { decideFile } from '../../src/api/validation.ts'
import { failure, signIn } from '../support/client.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildKey,
  buildReviewer,
  buildTag,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

const deleteForGood = async (user: BuiltUser, id: number) => {
  await user.call(trashFile, { id })
  await user.call(deleteFile, { id })
}

describe('a reused name', () => {
  test('of a user restores no session, key, file, tag or right of the old user', async () => {
    const old = await buildUser(server, { username: 'Revived', role: 'admin' })
    const key = await buildKey(server, old, ['files:read', 'users:manage'])
    const file = await buildFile(old, { name: 'old.txt' })
    const tag = await buildTag(old, 'old tag')
    await old.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    await admin.call(deleteUser, { id: old.id, files: 'delete' })
    const password = 'another password'
    const account = { username: 'revived', email: 'revived@example.org', role: 'user', password }
    const { user } = await admin.call(createUser, account)
    expect(user.id).toBeGreaterThan(old.id)
    for (const client of [old, key]) {
      expect(await failure(await client.raw('/api/auth/profile'))).toEqual({ status: 401, error: 'unauthenticated' })
    }
    await expect(signIn(server.url, 'revived', old.password)).rejects.toMatchObject({ status: 401 })
    const again = await signIn(server.url, 'revived', password)
    expect((await again.call(getProfile, {})).permissions).not.toContain('users:manage')
    expect(await again.call(listFiles, {})).toMatchObject({ total: 0, total_folders: 0 })
    expect((await again.call(listTrash, {})).files).toEqual([])
    expect((await again.call(listTags, {})).tags).toEqual([])
    expect((await again.call(listApiKeys, {})).api_keys).toEqual([])
    expect((await again.call(listSessions, {})).sessions).toHaveLength(1)
    expect((await again.raw(`/api/files/${file.id}`)).status).toBe(404)
  })

  test('of a role does not give it to users of the old role', async () => {
    const { permissions } = await admin.call(listPermissions, {})
    const idOf = (key: string) => permissions.find(entry => entry.key === key)?.id ?? 0
    const strong = { name: 'auditors', permission_ids: ['settings:manage', 'api-keys:manage'].map(idOf) }
    const { role } = await admin.call(createRole, strong)
    const member = await buildUser(server, { role: 'auditors' })
    const key = await buildKey(server, member, ['settings:manage'])
    expect((await key.raw('/api/settings')).status).toBe(200)
    await admin.call(updateUser, { id: member.id, role: 'user' })
    await admin.call(deleteRole, { id: role.id })
    const { role: again } = await admin.call(createRole, strong)
    expect(again.id).toBeGreaterThan(role.id)
    expect((await key.raw('/api/settings')).status).toBe(403)
    // The same holds when another role is renamed to the name.
    await admin.call(updateRole, { id: again.id, name: 'others' })
    const { role: third } = await admin.call(createRole, { ...strong, permission_ids: [idOf('files:read')] })
    await admin.call(updateUser, { id: member.id, role: 'auditors' })
    expect((await key.raw('/api/settings')).status).toBe(403)
    expect(third.permissions).toEqual(['files:read'])
  })

  test('of an API key does not revive the old secret', async () => {
    const user = await buildUser(server)
    const input = { name: 'nightly', permissions: ['files:read' as const] }
    const first = await user.call(createApiKey, input)
    await user.call(deleteApiKey, { id: first.id })
    const second = await user.call(createApiKey, input)
    expect(second.id).toBeGreaterThan(first.id)
    const headers = { 'x-api-key-id': second.key_id, 'x-api-secret': first.secret }
    expect((await fetch(`${server.url}/api/files`, { headers })).status).toBe(401)
  })

  test('of a tag or a metadata field shows on no file of the old one', async () => {
    const user = await buildUser(server)
    const name = 'colour'
    const field = await buildField(admin, { name, label: name })
    const file = await buildFile(user, { metadata: [{ field_id: field.id, value: 'crimson' }] })
    const tag = await buildTag(user, name)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    await user.call(deleteTag, { id: tag.id })
    await admin.call(deleteField, { id: field.id })
    const { tag: again } = await user.call(createTag, { name, color: '#3B82F6' })
    const other = await admin.call(createField, { name, label: name, field_type: 'text' })
    expect([again.id > tag.id, other.id > field.id, again.file_count]).toEqual([true, true, 0])
    expect((await user.call(listFileTags, { id: file.id })).tags).toEqual([])
    expect((await user.call(getFile, { id: file.id })).file).toMatchObject({ tags: [], metadata: [] })
    expect((await user.call(searchFiles, { q: file.name, meta: `${name}:crimson` })).files).toEqual([])
    expect((await user.call(searchFiles, { q: file.name, tag_id: again.id })).files).toEqual([])
  })

  test('of a file is a new file without the old approval, tags, favorite mark, events and thumbnail', async () => {
    const user = await buildUser(server)
    const reviewer = await buildReviewer(server)
    await turnSettings(admin, { validation_enabled: true })
    try {
      const name = 'approved.png'
      const old = await buildFile(user, { name }, await drawImage(40, 20).as('png'))
      expect((await reviewer.raw(`/api/files/${old.id}/download`)).status).toBe(200)
      await reviewer.call(decideFile, { file_id: old.id, status: 'approved', comment: 'well done' })
      await user.call(favoriteFile, { id: old.id, is_favorite: true })
      await user.call(tagFiles, { tag_id: (await buildTag(user)).id, file_ids: [old.id] })
      expect((await user.raw(`/api/files/${old.id}/thumbnail`)).status).toBe(200)
      await deleteForGood(user, old.id)
      const again = await buildFile(user, { name }, 'no picture at all')
      expect(again.id).toBeGreaterThan(old.id)
      const { file } = await user.call(getFile, { id: again.id })
      expect(file).toMatchObject({
        validation_status: 'pending',
        validation_comment: null,
        is_favorite: false,
        tags: [],
      })
      expect((await user.call(listFavorites, {})).files).toEqual([])
      const { events } = await user.call(listFileEvents, { id: again.id })
      expect(events.map(event => event.action)).toEqual(['file.upload'])
      expect((await user.raw(`/api/files/${again.id}/thumbnail`)).status).toBe(404)
      for (const call of ['', '/download', '/preview', '/thumbnail']) {
        expect((await user.raw(`/api/files/${old.id}${call}`)).status).toBe(404)
        expect((await reviewer.raw(`/api/files/${old.id}${call}`)).status).toBe(404)
      }
    } finally {
      await turnSettings(admin, { validation_enabled: false })
    }
  })
})

describe('a name that is a prefix of another', () => {
  test('of a folder affects nothing in the longer one, and no path through it reaches its files', async () => {
    const user = await buildUser(server)
    const [doc, docs] = [await buildFolder(user, 'doc'), await buildFolder(user, 'docs')]
    const secret = await buildFile(user, { name: 'x.txt', parent_id: docs.id }, 'of the longer one')
    const zip = await (await user.raw(`/api/files/${doc.id}/archive`)).text()
    expect(zip).not.toContain('of the longer one')
    for (const path of ['/doc/x.txt', '/doc/s/x.txt', '/doc/../docs/x.txt']) {
      expect((await user.raw(`/api/files/by-path?${new URLSearchParams({ path })}`)).status).toBe(404)
    }
    await deleteForGood(user, doc.id)
    expect((await user.call(getFile, { id: secret.id })).file.path).toBe('/docs/x.txt')
  })

  test('of a user or a type does not match the longer one', async () => {
    const [ann, anna] = [await buildUser(server, { username: 'ann' }), await buildUser(server, { username: 'anna' })]
    const file = await buildFile(anna, { name: 'picture.imagery' })
    expect((await ann.raw(`/api/files/${file.id}`)).status).toBe(404)
    expect(await ann.call(listFiles, {})).toMatchObject({ total: 0 })
    await admin.call(deleteUser, { id: ann.id })
    expect((await anna.call(getFile, { id: file.id })).file.id).toBe(file.id)
    const found = await anna.raw(`/api/files/search?q=picture&mime_type=application/octet`)
    expect((await found.json()).data?.files ?? []).toEqual([])
  })
})
