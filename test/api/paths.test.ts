/** Single items: found by id and by path, and the paths that they show. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callByPath } from '../../src/api/by-path.ts'
import { findFileByPath, getFile, getFileByPath, renameFile } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const byPath = (path: string) => user.raw(`/api/files/by-path?${new URLSearchParams({ path })}`)
const notFound = { status: 404, error: 'not_found' }

describe('an item', () => {
  test('is found by its id and by its path', async () => {
    const docs = await buildFolder(user, 'Docs')
    const file = await buildFile(user, { name: 'a b+c%20.txt', parent_id: docs.id })
    for (const id of [docs.id, file.id]) {
      const byId = await user.call(getFile, { id })
      expect(await user.call(getFileByPath, { path: byId.file.path })).toEqual(byId)
    }
    expect((await user.call(getFileByPath, { path: '/Docs/a b+c%20.txt' })).file.id).toBe(file.id)
  })

  test('has no content of its own when it is a folder', async () => {
    const folder = await buildFolder(user)
    const { file } = await user.call(getFile, { id: folder.id })
    expect(file).toMatchObject({ is_directory: true, size: 0, mime_type: null, sha256: null, thumbnail_path: null })
  })

  test('in the trash is 404 by id and by path', async () => {
    const folder = await buildFolder(user, 'gone')
    const inside = await buildFile(user, { name: 'inside.txt', parent_id: folder.id })
    await user.call(trashFile, { id: folder.id })
    for (const id of [folder.id, inside.id]) expect(await failure(await user.raw(`/api/files/${id}`))).toEqual(notFound)
    for (const path of ['/gone', '/gone/inside.txt']) expect(await failure(await byPath(path))).toEqual(notFound)
  })
})

describe('a path', () => {
  test('is split at slashes only, and extra slashes are ignored', async () => {
    const folder = await buildFolder(user, 'slashes')
    const file = await buildFile(user, { name: 'x', parent_id: folder.id })
    for (const path of ['/slashes/x', 'slashes/x', '//slashes///x']) {
      expect((await user.call(getFileByPath, { path })).file.id).toBe(file.id)
    }
    const odd = await buildFolder(user, 'slashes\\x')
    expect((await user.call(getFileByPath, { path: '/slashes\\x' })).file.id).toBe(odd.id)
  })

  test('is case-sensitive, and the same in every Unicode form', async () => {
    const file = await buildFile(user, { name: 'Café.txt' })
    expect((await user.call(getFileByPath, { path: '/Cafe\u0301.txt' })).file.id).toBe(file.id)
    expect(await failure(await byPath('/café.txt'))).toEqual(notFound)
    expect(await failure(await byPath('/Cafe.txt'))).toEqual(notFound)
  })

  test.each([
    '/',
    '//',
    '/nothing',
    '/Café.txt/below',
    '/../Café.txt',
    '/./Café.txt',
    '/Café.txt\u0000',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '..\\..\\etc\\passwd',
    'C:\\Windows',
    '/\ud800',
  ])('of no item is 404: %s', async path => {
    expect(await failure(await byPath(path))).toEqual(notFound)
  })

  test('may be as long as a hundred folders with the longest names', async () => {
    const name = 'é'.repeat(127)
    let parentId: number | null = null
    for (let depth = 0; depth < 100; depth++) parentId = (await buildFolder(user, name, parentId)).id
    const file = await buildFile(user, { name, parent_id: parentId })
    expect(file.path).toBe(`/${name}`.repeat(101))
    expect(await user.call(findFileByPath, { path: file.path })).toEqual(await user.call(getFile, { id: file.id }))
    await expect(user.call(findFileByPath, { path: `${file.path}/x` })).rejects.toMatchObject({ status: 404 })
    // Percent-encoded, the path is too long for a URL.
    expect((await byPath(file.path)).status).toBe(431)
    const key = await buildKey(server, user, ['files:read'])
    expect((await callByPath(key.call, file.path)).file.id).toBe(file.id)
    expect((await callByPath(key.call, '/Docs/a b+c%20.txt')).file.name).toBe('a b+c%20.txt')
  })

  test('is 400 when it is missing or empty', async () => {
    const refused = { status: 400, error: 'invalid_input', fields: { path: expect.any(String) } }
    expect(await failure(await user.raw('/api/files/by-path'))).toEqual(refused)
    expect(await failure(await byPath(''))).toEqual(refused)
  })

  test('of another user’s file is 404', async () => {
    const stranger = await buildUser(server)
    await buildFile(stranger, { name: 'theirs.txt' })
    expect(await failure(await byPath('/theirs.txt'))).toEqual(notFound)
  })

  test('changes with every rename above the item, and the old path is 404', async () => {
    const top = await buildFolder(user, 'top')
    const middle = await buildFolder(user, 'middle', top.id)
    const file = await buildFile(user, { name: 'leaf', parent_id: middle.id })
    await user.call(renameFile, { id: top.id, name: 'summit' })
    const { file: now } = await user.call(getFile, { id: file.id })
    expect(now).toMatchObject({ path: '/summit/middle/leaf', logical_path: '/summit/middle/leaf' })
    expect(await failure(await byPath('/top/middle/leaf'))).toEqual(notFound)
    await buildFolder(user, 'top')
    expect(await failure(await byPath('/top/middle/leaf'))).toEqual(notFound)
  })
})
