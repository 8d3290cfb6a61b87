/** The trash: what goes into it, what it lists, and what can be restored. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { getFile, listFiles, moveFile } from '../../src/api/files.ts'
import { listTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildChain, buildFile, buildFolder, buildUser } from '../support/factories.ts'
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

const put = (path: string) => user.raw(`/api/files/${path}`, { method: 'PUT' })
const trash = async (...ids: (number | undefined)[]) => {
  for (const id of ids) await user.call(trashFile, { id: id ?? 0 })
}
const restore = async (id: number) => (await user.call(restoreFile, { id })).file
const trashed = async () => (await user.call(listTrash, {})).files.map(({ id }) => id)
const notFound = { status: 404, error: 'not_found' }

describe('trashing', () => {
  test('answers with the item and the time, and leaves its other fields unchanged', async () => {
    const folder = await buildFolder(user, 'place')
    const file = await buildFile(user, { name: 'a.txt', parent_id: folder.id })
    const response = await put(`${file.id}/trash`)
    expect(response.status).toBe(200)
    const { file: gone } = (await response.json()).data
    expect(gone).toEqual({ ...file, deleted_at: expect.stringMatching(/Z$/) })
    expect(Math.abs(Date.parse(gone.deleted_at) - Date.now())).toBeLessThan(60_000)
  })

  test('makes an item 404 in every call except those of the trash', async () => {
    const file = await buildFile(user, { name: 'gone.txt' })
    await trash(file.id)
    const paths = [`${file.id}`, `${file.id}/download`, `${file.id}/preview`, 'by-path?path=/gone.txt']
    for (const path of paths) expect(await failure(await user.raw(`/api/files/${path}`))).toEqual(notFound)
    expect(await failure(await put(`${file.id}/trash`))).toEqual(notFound)
    expect((await user.call(listFiles, {})).total).toBe(0)
    expect(await trashed()).toEqual([file.id])
  })

  test('takes everything below a folder along, which then cannot be trashed, restored or listed on its own', async () => {
    const [top, middle] = await buildChain(user, 2)
    const file = await buildFile(user, { parent_id: middle })
    await trash(top)
    expect(await trashed()).toEqual([top])
    for (const id of [middle, file.id]) {
      expect(await failure(await user.raw(`/api/files/${id}`))).toEqual(notFound)
      expect(await failure(await put(`${id}/trash`))).toEqual(notFound)
      expect(await failure(await put(`${id}/restore`))).toEqual(notFound)
    }
    expect(await failure(await user.raw(`/api/files?parent_id=${top}`))).toEqual(notFound)
  })

  test('frees no quota', async () => {
    const file = await buildFile(user, {}, 'x'.repeat(1000))
    await trash(file.id)
    expect((await user.call(getProfile, {})).storage_used).toBe(1000)
  })
})

describe('the list of the trash', () => {
  test('is sorted with the newest first, and shows the former paths', async () => {
    const folder = await buildFolder(user, 'kept')
    const inner = await buildFolder(user, 'inner', folder.id)
    const file = await buildFile(user, { name: 'a.txt', parent_id: folder.id })
    await trash(inner.id, file.id)
    const { files, total, next_cursor } = await user.call(listTrash, {})
    expect(files.map(({ path, is_directory }) => [path, is_directory])).toEqual([
      ['/kept/a.txt', false],
      ['/kept/inner', true],
    ])
    expect({ total, next_cursor }).toEqual({ total: 2, next_cursor: null })
  })

  test('comes in pages without gaps or repeats', async () => {
    const files = await Promise.all(Array.from({ length: 25 }, () => buildFile(user)))
    await trash(...files.map(({ id }) => id))
    const whole = await trashed()
    expect(whole).toHaveLength(25)
    const read: number[] = []
    let cursor: string | undefined
    do {
      const page = await user.call(listTrash, { limit: 7, cursor })
      expect(page.total).toBe(25)
      read.push(...page.files.map(({ id }) => id))
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(read).toEqual(whole)
    expect((await user.raw('/api/files/trash?cursor=made-up')).status).toBe(400)
  })

  test('belongs to one user', async () => {
    const stranger = await buildUser(server)
    await trash((await buildFile(user)).id)
    expect((await stranger.call(listTrash, {})).files).toEqual([])
  })
})

describe('restoring', () => {
  test('brings an item back unchanged', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { parent_id: folder.id }, 'content')
    await trash(file.id)
    const response = await put(`${file.id}/restore`)
    expect(response.status).toBe(200)
    expect((await response.json()).data.file).toEqual(file)
    expect(await (await user.raw(`/api/files/${file.id}/download`)).text()).toBe('content')
    expect(await trashed()).toEqual([])
  })

  test('brings back exactly the items that were trashed together', async () => {
    const [top = 0, middle = 0] = await buildChain(user, 2)
    const earlier = await buildFile(user, { parent_id: middle })
    const along = await buildFile(user, { parent_id: middle })
    await trash(earlier.id)
    await trash(top)
    expect(new Set(await trashed())).toEqual(new Set([top, earlier.id]))
    await restore(top)
    expect(await trashed()).toEqual([earlier.id])
    expect((await user.call(listFiles, { parent_id: middle })).files.map(({ id }) => id)).toEqual([along.id])
    expect((await restore(earlier.id)).parent_id).toBe(middle)
  })

  test('goes to the root when the former folder is in the trash', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { parent_id: folder.id })
    await trash(file.id, folder.id)
    expect(await restore(file.id)).toMatchObject({ parent_id: null, path: `/${file.name}` })
  })

  test('follows a folder that was moved or renamed meanwhile', async () => {
    const [folder, target] = [await buildFolder(user), await buildFolder(user, 'target')]
    const file = await buildFile(user, { parent_id: folder.id })
    await trash(file.id)
    await user.call(moveFile, { id: folder.id, parent_id: target.id })
    expect((await restore(file.id)).path).toBe(`/target/${folder.name}/${file.name}`)
  })

  test.each([
    ['a.txt', 'a (1).txt', false],
    ['.env', '.env (1)', false],
    ['folder.d', 'folder.d (1)', true],
  ])('gives the item the next free name when its name is taken: %s', async (name, free, isFolder) => {
    const build = () => (isFolder ? buildFolder(user, name) : buildFile(user, { name }))
    const item = await build()
    await trash(item.id)
    const other = await build()
    const back = await restore(item.id)
    expect(back).toMatchObject({ name: free, path: `/${free}` })
    expect((await user.call(getFile, { id: other.id })).file.name).toBe(name)
  })

  test('to the root numbers a name that is taken there', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { name: 'clash', parent_id: folder.id })
    await buildFile(user, { name: 'clash' })
    await trash(file.id, folder.id)
    expect((await restore(file.id)).name).toBe('clash (1)')
  })

  test('of a live item is 409', async () => {
    const file = await buildFile(user)
    expect(await failure(await put(`${file.id}/restore`))).toEqual({ status: 409, error: 'not_trashed' })
  })

  test('twice at once is one 200 and one 409', async () => {
    const file = await buildFile(user)
    await trash(file.id)
    const answers = await Promise.all([put(`${file.id}/restore`), put(`${file.id}/restore`)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await user.call(listFiles, {})).total).toBe(1)
  })

  test('of another user’s item is 404, live or trashed', async () => {
    const stranger = await buildUser(server, { role: 'admin' })
    const [live, gone] = [await buildFile(user), await buildFile(user)]
    await trash(gone.id)
    for (const id of [live.id, gone.id]) {
      expect(await failure(await stranger.raw(`/api/files/${id}/restore`, { method: 'PUT' }))).toEqual(notFound)
    }
  })
})
