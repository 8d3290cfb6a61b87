/** Favorites: a mark on files and folders, and the list of marked items. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { favoriteFile, getFile, listFavorites, renameFile } from '../../src/api/files.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { readPages } from '../support/pages.ts'
import { plantFiles } from '../support/planted.ts'
import { explain } from '../support/query-plans.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

const mark = async (id: number, is_favorite = true) => (await user.call(favoriteFile, { id, is_favorite })).file
const send = (id: number, body: unknown, client = user) =>
  client.raw(`/api/files/${id}/favorite`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const listed = async () => (await user.call(listFavorites, {})).files.map(({ path }) => path)

describe('a favorite', () => {
  test('is set and unset on files and folders, and changes no other field', async () => {
    for (const item of [await buildFile(user), await buildFolder(user)]) {
      expect(await mark(item.id)).toEqual({ ...item, is_favorite: true })
      expect((await user.call(getFile, { id: item.id })).file).toEqual({ ...item, is_favorite: true })
      expect(await mark(item.id)).toEqual({ ...item, is_favorite: true })
      expect(await mark(item.id, false)).toEqual(item)
    }
  })

  test('changes the ETag of a listing, unless the mark stays the same', async () => {
    const file = await buildFile(user)
    const etagOf = async () => (await user.raw('/api/files')).headers.get('etag')
    const before = await etagOf()
    await mark(file.id)
    const marked = await etagOf()
    expect(marked).not.toBe(before)
    await mark(file.id)
    expect(await etagOf()).toBe(marked)
    await mark(file.id, false)
    expect(await etagOf()).not.toBe(marked)
  })

  test('is 404 for trashed items, unknown items and those of other users', async () => {
    const [trashed, foreign] = [await buildFile(user), await buildFile(await buildUser(server))]
    await user.call(trashFile, { id: trashed.id })
    for (const id of [trashed.id, foreign.id, 999_999]) {
      expect(await failure(await send(id, { is_favorite: true }))).toEqual({ status: 404, error: 'not_found' })
    }
  })

  test.each([{}, { is_favorite: 'true' }, { is_favorite: 1 }, { is_favorite: null }])(
    'is refused when the value is not true or false: %j',
    async body => {
      const file = await buildFile(user)
      expect(await failure(await send(file.id, body))).toEqual({
        status: 400,
        error: 'invalid_input',
        fields: { is_favorite: expect.any(String) },
      })
    },
  )

  test('needs files:write to be set and files:read to be listed', async () => {
    const file = await buildFile(user)
    const [reader, writer] = [
      await buildKey(server, user, ['files:read']),
      await buildKey(server, user, ['files:write']),
    ]
    expect((await writer.call(favoriteFile, { id: file.id, is_favorite: true })).file.is_favorite).toBe(true)
    expect((await reader.call(listFavorites, {})).total).toBe(1)
    expect((await send(file.id, { is_favorite: false }, { ...user, ...reader })).status).toBe(403)
    expect((await writer.raw('/api/files/favorites')).status).toBe(403)
  })
})

describe('the list of favorites', () => {
  test('lists favorites of every folder with their paths, folders first, then by name', async () => {
    const folder = await buildFolder(user, 'zoo')
    const inner = await buildFolder(user, 'file 10', folder.id)
    const files = [
      await buildFile(user, { name: 'file 9.txt', parent_id: inner.id }),
      await buildFile(user, { name: 'File 10.txt' }),
      await buildFile(user, { name: 'Éclair.txt', parent_id: folder.id }),
    ]
    await buildFile(user, { name: 'a plain one.txt' })
    for (const { id } of [...files, folder, inner]) await mark(id)
    expect(await listed()).toEqual([
      '/zoo/file 10',
      '/zoo',
      '/zoo/Éclair.txt',
      '/zoo/file 10/file 9.txt',
      '/File 10.txt',
    ])
  })

  test('hides trashed items, and shows them again after they are restored', async () => {
    const folder = await buildFolder(user, 'folder')
    const file = await buildFile(user, { name: 'a.txt', parent_id: folder.id })
    for (const { id } of [folder, file]) await mark(id)
    await user.call(trashFile, { id: folder.id })
    expect(await user.call(listFavorites, {})).toEqual({ files: [], total: 0, next_cursor: null })
    await user.call(restoreFile, { id: folder.id })
    expect(await listed()).toEqual(['/folder', '/folder/a.txt'])
  })

  test('belongs to one user', async () => {
    await mark((await buildFile(user)).id)
    const admin = await buildUser(server, { role: 'admin' })
    expect((await admin.call(listFavorites, {})).files).toEqual([])
  })

  test('comes in pages of any size without gaps or repeats, with the total on each', async () => {
    const items = await Promise.all([
      ...Array.from({ length: 14 }, (_, n) => buildFile(user, { name: `${n % 5} same ${n}` })),
      ...Array.from({ length: 9 }, (_, n) => buildFolder(user, `folder ${n}`)),
    ])
    for (const { id } of items) await mark(id)
    const whole = await user.call(listFavorites, {})
    expect(whole).toMatchObject({ total: 23, next_cursor: null })
    for (const limit of [1, 4, 9, 22, 23, 1000]) {
      const { entries } = await readPages(async cursor => {
        const { files, next_cursor, total } = await user.call(listFavorites, { limit, cursor })
        expect(total).toBe(23)
        return { entries: files, next_cursor }
      })
      expect(entries).toEqual(whole.files)
    }
  })

  test('continues at the same place after the last item was unmarked, and refuses another list’s cursor', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await mark((await buildFile(user, { name })).id)
    const first = await user.call(listFavorites, { limit: 2 })
    const cursor = first.next_cursor ?? ''
    await mark(first.files[1]?.id ?? 0, false)
    await user.call(renameFile, { id: first.files[0]?.id ?? 0, name: 'cc' })
    const rest = await user.call(listFavorites, { cursor })
    expect(rest.files.map(({ name }) => name)).toEqual(['c', 'cc', 'd'])
    for (const path of [`trash?cursor=${cursor}`, 'favorites?cursor=made-up', 'favorites?limit=0']) {
      expect((await user.raw(`/api/files/${path}`)).status).toBe(400)
    }
  })

  test('reads each page from a range of an index, in its order', async context => {
    onlyOneServer('process', context)
    const folder = await buildFolder(user)
    await plantFiles(server, user, folder.id, 2000)
    const { db } = server.deps
    await db.touch(() => db.change('UPDATE files SET is_favorite = 1 WHERE parent_id = $1', [folder.id]))
    const read = vi.spyOn(db, 'page')
    const { next_cursor } = await user.call(listFavorites, { limit: 500 })
    await user.call(listFavorites, { limit: 500, cursor: next_cursor ?? '' })
    const queries = read.mock.calls.filter(([, rest]) => rest.includes('is_favorite'))
    read.mockRestore()
    expect(queries.length).toBeGreaterThan(2)
    const [range, sort] = {
      sqlite: [/files_favorites \(space_id=\? AND is_favorite=\? AND deleted_at=\? AND is_directory=\?/, /TEMP B-TREE/],
      mariadb: [/"key":"files_favorites"/, /filesort/],
    }[db.dialect]
    for (const [, rest, bind] of queries) {
      const plan = JSON.stringify(await explain(server, `SELECT f.id, f.name ${rest}`, bind))
      expect(plan).toMatch(range as RegExp)
      expect(plan).not.toMatch(sort as RegExp)
    }
  })
})
