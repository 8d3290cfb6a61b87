/** Renaming and moving: what each changes, which conflicts refuse it, and that no folder ends up inside itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFileEvents, listFiles, moveFile, renameFile } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildChain, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const put = (path: string, body: object) =>
  user.raw(`/api/files/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const taken = { status: 409, error: 'name_taken', fields: { name: expect.any(String) } }
const notFound = { status: 404, error: 'not_found' }
const cycle = { status: 409, error: 'would_cycle' }

describe('a rename', () => {
  test('changes name, path, type and update time, and nothing else', async () => {
    const folder = await buildFolder(user)
    const before = await buildFile(user, {
      name: 'notes.txt',
      parent_id: folder.id,
      modified_at: '2020-01-01T00:00:00Z',
    })
    const response = await put(`${before.id}/rename`, { name: 'notes.html' })
    expect(response.status).toBe(200)
    const { file } = (await response.json()).data
    expect(file).toEqual({
      ...before,
      name: 'notes.html',
      path: `/${folder.name}/notes.html`,
      logical_path: `/${folder.name}/notes.html`,
      mime_type: 'text/html',
      updated_at: expect.any(String),
    })
    expect(Date.parse(file.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at))
    expect((await user.call(getFile, { id: before.id })).file).toEqual(file)
  })

  test('of a folder never gives it a type', async () => {
    const folder = await buildFolder(user)
    expect((await user.call(renameFile, { id: folder.id, name: 'a.png' })).file.mime_type).toBeNull()
  })

  test('to a taken name in the same folder is 409 and changes nothing', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { name: 'mine', parent_id: folder.id })
    await buildFile(user, { name: 'file', parent_id: folder.id })
    await buildFolder(user, 'folder', folder.id)
    for (const name of ['file', 'folder'])
      expect(await failure(await put(`${file.id}/rename`, { name }))).toEqual(taken)
    expect((await user.call(getFile, { id: file.id })).file).toEqual(file)
    expect((await put(`${file.id}/rename`, { name: 'FILE' })).status).toBe(200)
  })

  test('to the current name changes nothing, not even the update time', async () => {
    const file = await buildFile(user)
    expect((await user.call(renameFile, { id: file.id, name: file.name })).file).toEqual(file)
  })

  test('may change only the case of letters, and may use the name of a trashed item', async () => {
    const file = await buildFile(user, { name: 'case.txt' })
    expect((await user.call(renameFile, { id: file.id, name: 'CASE.txt' })).file.name).toBe('CASE.txt')
    const trashed = await buildFile(user, { name: 'was here' })
    await user.call(trashFile, { id: trashed.id })
    expect((await user.call(renameFile, { id: file.id, name: 'was here' })).file.name).toBe('was here')
  })

  test('of two items to one name at the same time is one 200 and one 409', async () => {
    for (let round = 0; round < 5; round++) {
      const files = await Promise.all([buildFile(user), buildFile(user)])
      const answers = await Promise.all(files.map(({ id }) => put(`${id}/rename`, { name: `wanted ${round}` })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  test('is 400 without a name', async () => {
    const file = await buildFile(user)
    const refused = { status: 400, error: 'invalid_input', fields: { name: expect.any(String) } }
    expect(await failure(await put(`${file.id}/rename`, {}))).toEqual(refused)
  })

  test('of a trashed item is 404', async () => {
    const file = await buildFile(user)
    await user.call(trashFile, { id: file.id })
    expect(await failure(await put(`${file.id}/rename`, { name: 'a' }))).toEqual(notFound)
  })
})

describe('a move', () => {
  test('takes an item with everything below it to another folder, and back to the root', async () => {
    const [outer, inner] = await buildChain(user, 2)
    const file = await buildFile(user, { name: 'moved.txt', parent_id: inner })
    const target = await buildFolder(user)
    const response = await put(`${inner}/move`, { parent_id: target.id })
    expect(response.status).toBe(200)
    expect((await response.json()).data.file).toMatchObject({ id: inner, parent_id: target.id })
    const { file: below } = await user.call(getFile, { id: file.id })
    expect(below.path).toMatch(new RegExp(`^/${target.name}/[^/]+/moved.txt$`))
    expect((await user.call(listFiles, { parent_id: outer })).total).toBe(0)
    for (const body of [{ parent_id: null }, {}]) {
      await user.call(moveFile, { id: file.id, parent_id: target.id })
      expect((await (await put(`${file.id}/move`, body)).json()).data.file).toMatchObject({
        parent_id: null,
        path: '/moved.txt',
      })
    }
  })

  test('changes the update time, but not when the item is in that folder already', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user)
    const { file: moved } = await user.call(moveFile, { id: file.id, parent_id: folder.id })
    expect(moved).toEqual({
      ...file,
      parent_id: folder.id,
      path: `/${folder.name}/${file.name}`,
      logical_path: `/${folder.name}/${file.name}`,
      updated_at: expect.any(String),
    })
    expect((await user.call(moveFile, { id: file.id, parent_id: folder.id })).file).toEqual(moved)
  })

  test('to a folder where the name is taken is 409 and changes nothing', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { name: 'twin' })
    await buildFolder(user, 'twin', folder.id)
    expect(await failure(await put(`${file.id}/move`, { parent_id: folder.id }))).toEqual(taken)
    expect((await user.call(getFile, { id: file.id })).file).toEqual(file)
  })

  test('of a folder into itself or below itself is 409', async () => {
    const chain = await buildChain(user, 4)
    for (const parentId of chain.slice(1)) {
      expect(await failure(await put(`${chain[1]}/move`, { parent_id: parentId }))).toEqual(cycle)
    }
    expect((await put(`${chain[1]}/move`, { parent_id: chain[0] })).status).toBe(200)
  })

  test('of a folder is 404 when the target below it is a file or in the trash', async () => {
    const [outer, inner] = await buildChain(user, 2)
    const file = await buildFile(user, { parent_id: inner })
    expect(await failure(await put(`${outer}/move`, { parent_id: file.id }))).toEqual(notFound)
    await user.call(trashFile, { id: inner ?? 0 })
    expect(await failure(await put(`${outer}/move`, { parent_id: inner }))).toEqual(notFound)
  })

  test('of two folders into each other at the same time leaves one of them in its place', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await buildFolder(user), await buildFolder(user)]
      const answers = await Promise.all([
        put(`${a.id}/move`, { parent_id: b.id }),
        put(`${b.id}/move`, { parent_id: a.id }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  test('with a new name only needs that name to be free, and records a rename and a move', async () => {
    const [source, target] = [await buildFolder(user), await buildFolder(user)]
    const file = await buildFile(user, { name: 'old.txt', parent_id: source.id })
    await buildFile(user, { name: 'new.md', parent_id: source.id })
    await buildFile(user, { name: 'old.txt', parent_id: target.id })
    const { file: moved } = await user.call(moveFile, { id: file.id, parent_id: target.id, name: 'new.md' })
    expect(moved).toMatchObject({ path: `/${target.name}/new.md`, mime_type: 'text/markdown', tags: [] })
    const { events } = await user.call(listFileEvents, { id: file.id })
    expect(events.map(({ action }) => action)).toEqual(['file.rename', 'file.move', 'file.upload'])
  })

  test('with a new name stays in its folder without a parent_id, and goes to the root with null', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { name: 'first.txt', parent_id: folder.id })
    const renamed = (await user.call(moveFile, { id: file.id, name: 'second.txt' })).file
    expect(renamed).toMatchObject({ parent_id: folder.id, name: 'second.txt' })
    const atRoot = (await user.call(moveFile, { id: file.id, name: `root-${file.id}.txt`, parent_id: null })).file
    expect(atRoot).toMatchObject({ parent_id: null, path: `/root-${file.id}.txt` })
    await user.call(moveFile, { id: file.id, parent_id: folder.id })
    expect((await user.call(moveFile, { id: file.id })).file.parent_id).toBeNull()
  })

  test('with a taken or invalid new name neither moves nor renames', async () => {
    const folder = await buildFolder(user)
    await buildFile(user, { name: 'taken', parent_id: folder.id })
    const file = await buildFile(user)
    expect(await failure(await put(`${file.id}/move`, { parent_id: folder.id, name: 'taken' }))).toEqual(taken)
    expect((await put(`${file.id}/move`, { parent_id: folder.id, name: 'a/b' })).status).toBe(400)
    expect((await user.call(getFile, { id: file.id })).file).toEqual(file)
  })

  test('of a trashed item is 404', async () => {
    const file = await buildFile(user)
    await user.call(trashFile, { id: file.id })
    expect(await failure(await put(`${file.id}/move`, {}))).toEqual(notFound)
  })
})
