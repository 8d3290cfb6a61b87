/** The limits of tags, API keys, roles and metadata fields: one more is refused with a message, so lists stay short. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { batchFiles, copyFile, getFile, listFiles } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { createApiKey, deleteApiKey, listApiKeys } from '../../src/api/keys.ts'
import { maxFields, maxFileTags, maxKeys, maxPageBytes, maxRoles, maxTags } from '../../src/api/limits.ts'
import { createField, listFields } from '../../src/api/metadata.ts'
import { createRole, listPermissions, listRoles } from '../../src/api/roles.ts'
import { createTag, deleteTag, listTags, tagFiles, untagFiles } from '../../src/api/tags.ts'
import { plantEntries } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import { findLongestPause } from '../support/longest-pause.ts'
import { readPages } from '../support/pages.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

const refused = (field: string, sentence: RegExp) => ({
  code: 'invalid_input',
  status: 400,
  fields: { [field]: expect.stringMatching(sentence) },
})

/** Gives a user tags beyond the limit, as older versions of the server allowed, and puts all of them on some files. */
async function plantTags(user: BuiltUser, count: number, name: string, fileIds: readonly number[]): Promise<number[]> {
  const { db } = server.deps
  return plant(server, user, async () => {
    const tags = Array.from({ length: count }, (_, index) => ({
      owner_id: user.id,
      name: `${name}${String(index).padStart(6, '0')}`,
      color: '#3B82F6',
    }))
    const ids = await db.insertIds(db.tags, tags, ['name'])
    for (const file_id of fileIds) {
      await db.insertAll(
        db.fileTags,
        ids.map(tag_id => ({ tag_id, file_id })),
      )
    }
    return ids
  })
}

describe('tags', () => {
  test('of one user are limited to a thousand', async () => {
    const user = await buildUser(server)
    const [first = 0] = await plantTags(user, maxTags, 'tag', [])
    await expect(user.call(createTag, { name: 'one more', color: '#3B82F6' })).rejects.toMatchObject(
      refused('name', /1000 tags/),
    )
    expect((await user.call(listTags, {})).tags).toHaveLength(maxTags)
    await user.call(deleteTag, { id: first })
    expect(await buildTag(user, 'one more')).toMatchObject({ name: 'one more' })
  })

  test('created at the same time do not exceed the limit', async () => {
    const user = await buildUser(server)
    await plantTags(user, maxTags - 2, 'tag', [])
    const made = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => user.call(createTag, { name: `new ${index}`, color: '#3B82F6' })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  })

  test('of one file are limited to a hundred, set alone, on many files or in a batch', async () => {
    const user = await buildUser(server)
    const [full, other] = [await buildFile(user), await buildFile(user)]
    const [first = 0] = await plantTags(user, maxFileTags, 'tag', [full.id])
    const { id } = await buildTag(user, 'one more')
    const fileIds = [other.id, full.id]
    await expect(user.call(tagFiles, { tag_id: id, file_ids: fileIds })).rejects.toMatchObject(
      refused('file_ids', /at most 100 tags/),
    )
    expect((await user.call(getFile, { id: other.id })).file.tags).toEqual([])
    const { results } = await user.call(batchFiles, { action: 'tag', ids: fileIds, tag_id: id })
    expect(results).toEqual([
      { id: other.id, ok: true },
      { id: full.id, ok: false, error: 'invalid_input', message: 'A file can have at most 100 tags' },
    ])
    expect(await user.call(tagFiles, { tag_id: first, file_ids: [full.id] })).toEqual({ changed: 0 })
    await user.call(untagFiles, { tag_id: first, file_ids: [full.id] })
    expect(await user.call(tagFiles, { tag_id: id, file_ids: [full.id] })).toEqual({ changed: 1 })
    expect((await user.call(copyFile, { id: full.id })).file.tags).toHaveLength(maxFileTags)
  })
})

describe('a list of files with the most tags', () => {
  const count = 1500
  let user: BuiltUser
  beforeAll(async () => {
    user = await buildUser(server)
    const folder = (await buildFolder(user)).id
    await plant(server, user, (db, owner) => plantEntries(db, owner, folder, count, index => `leaf ${index}`))
    const { files } = await user.call(listFiles, { parent_id: folder, only: 'files' })
    const ids = files.map(({ id }) => id)
    await plantTags(user, maxFileTags, '"'.repeat(40), ids)
  })

  const read = async (cursor: string | undefined) => {
    const query = new URLSearchParams({ q: 'leaf', ...(cursor === undefined ? {} : { cursor }) })
    const text = await (await user.raw(`/api/files/search?${query}`)).text()
    expect(text.length).toBeLessThan(maxPageBytes * 1.2)
    const { data } = JSON.parse(text) as { data: { files: FileItem[]; next_cursor: string | null } }
    return { entries: data.files, next_cursor: data.next_cursor }
  }

  test('comes in several pages, and no file is missing', async () => {
    const { entries, sizes } = await readPages(read)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(count)
    expect(sizes.length).toBeGreaterThan(1)
    const files = entries.filter(({ is_directory }) => !is_directory)
    expect(files.every(({ tags }) => tags.length === maxFileTags)).toBe(true)
    const names = files[0]?.tags.map(({ name }) => name) ?? []
    expect(names).toEqual(names.toSorted())
  })

  test('blocks other requests for less than a second', async () => {
    const send = async () => (await user.raw('/api/files/search?q=leaf')).body?.cancel()
    expect(await findLongestPause(send)).toBeLessThan(1000)
  })
})

describe('API keys', () => {
  const make = (user: BuiltUser, name: string, expires_in?: number) =>
    user.call(createApiKey, { name, permissions: ['files:read'], expires_in })
  const expire = (id: number, at: number) => {
    const { db } = server.deps
    return db.touch(() => db.update(db.apiKeys, { expires_at: at }, id))
  }

  test('of one user are limited to a hundred, and the key that expired first makes room for a new one', async () => {
    const user = await buildUser(server)
    const ids: number[] = []
    for (let index = 0; index < maxKeys; index++) ids.push((await make(user, `key ${index}`)).id)
    await expect(make(user, 'one more')).rejects.toMatchObject(refused('name', /at most 100 API keys/))
    const [, second = 0, third = 0, fourth = 0] = ids
    await expire(third, 2000)
    await expire(fourth, 1000)
    await make(user, 'one more')
    const kept = (await user.call(listApiKeys, {})).api_keys.map(({ id }) => id)
    expect(kept).toHaveLength(maxKeys)
    expect(kept).toContain(third)
    expect(kept).not.toContain(fourth)
    await user.call(deleteApiKey, { id: second })
    await make(user, 'and another')
    expect((await user.call(listApiKeys, {})).api_keys.map(({ id }) => id)).toContain(third)
  })
})

describe('items that administrators create', () => {
  test('include at most two hundred roles', async () => {
    const { permissions } = await admin.call(listPermissions, {})
    const [first] = permissions
    const make = (name: string) => admin.call(createRole, { name, permission_ids: [first?.id ?? 0] })
    for (let have = (await admin.call(listRoles, {})).roles.length; have < maxRoles; have++) await make(`role ${have}`)
    await expect(make('one more')).rejects.toMatchObject(refused('name', /200 roles/))
  })

  test('include at most two hundred metadata fields', async () => {
    const letters = (index: number) =>
      [...String(index)].map(digit => String.fromCodePoint(97 + Number(digit))).join('')
    const make = (name: string) => admin.call(createField, { name, label: name, field_type: 'text' })
    for (let have = (await admin.call(listFields, {})).length; have < maxFields; have++)
      await make(`f_${letters(have)}`)
    await expect(make('one_more')).rejects.toMatchObject(refused('name', /200 metadata fields/))
  })
})
