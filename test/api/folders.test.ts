/** Creating folders: taken names, exist_ok, and the greatest depth of a tree. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFiles, moveFile } from '../../src/api/files.ts'
import { maxTreeDepth } from '../../src/api/limits.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildChain, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const make = (body: object) =>
  user.raw('/api/files/folders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const taken = { status: 409, error: 'name_taken', fields: { name: expect.any(String) } }
const tooDeep = { status: 400, error: 'invalid_input', fields: { parent_id: expect.any(String) } }

describe('a new folder', () => {
  test('is returned with all its fields, and counts as an item but uses no bytes', async () => {
    const before = await readHoldings(server)
    const response = await make({ name: 'Photos' })
    expect(response.status).toBe(201)
    const { file } = (await response.json()).data
    expect(file).toMatchObject({ name: 'Photos', path: '/Photos', is_directory: true, size: 0, parent_id: null })
    expect(file).toEqual((await user.call(getFile, { id: file.id })).file)
    expect(await readHoldings(server)).toEqual({ ...before, files: before.files + 1, itemCount: before.itemCount + 1 })
  })

  test('is 409 when a folder or a file has its name', async () => {
    await buildFolder(user, 'taken')
    await buildFile(user, { name: 'taken.txt' })
    for (const name of ['taken', 'taken.txt']) expect(await failure(await make({ name }))).toEqual(taken)
    expect((await make({ name: 'Taken' })).status).toBe(201)
  })

  test('may have the name of a folder elsewhere or in the trash', async () => {
    const parent = await buildFolder(user)
    const trashed = await buildFolder(user, 'twice')
    await user.call(trashFile, { id: trashed.id })
    expect((await make({ name: 'twice' })).status).toBe(201)
    expect((await make({ name: 'twice', parent_id: parent.id })).status).toBe(201)
  })

  test('with exist_ok returns the existing folder, but is 409 for a file of that name', async () => {
    const folder = await buildFolder(user, 'shared')
    const response = await make({ name: 'shared', exist_ok: true })
    expect(response.status).toBe(200)
    expect((await response.json()).data.file).toEqual(folder)
    await buildFile(user, { name: 'a file' })
    expect(await failure(await make({ name: 'a file', exist_ok: true }))).toEqual(taken)
    expect(await failure(await make({ name: 'shared', exist_ok: false }))).toEqual(taken)
  })

  test('is created once when ten requests with exist_ok create it at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => make({ name: 'at once', exist_ok: true })))
    const ids = await Promise.all(answers.map(async answer => (await answer.json()).data.file.id))
    expect(new Set(ids).size).toBe(1)
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 9 }, () => 200), 201])
  })

  test('is created once and is 409 once when two requests without exist_ok create it', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([make({ name: `race ${round}` }), make({ name: `race ${round}` })])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    }
  })
})

describe('a tree', () => {
  test(`is at most ${maxTreeDepth} folders deep, for new and moved folders alike`, async () => {
    const chain = await buildChain(user, maxTreeDepth)
    const bottom = chain.at(-1) ?? 0
    expect(await failure(await make({ name: 'one more', parent_id: bottom }))).toEqual(tooDeep)
    const file = await buildFile(user, { name: 'leaf.txt', parent_id: bottom })
    expect(file.path.split('/')).toHaveLength(maxTreeDepth + 2)
    expect((await user.call(listFiles, { parent_id: bottom })).breadcrumbs).toHaveLength(maxTreeDepth)

    const pair = await buildChain(user, 2)
    const move = (parentId: number | undefined) =>
      user.raw(`/api/files/${pair[0]}/move`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ parent_id: parentId }),
      })
    expect(await failure(await move(chain[maxTreeDepth - 2]))).toEqual(tooDeep)
    expect((await move(chain[maxTreeDepth - 3])).status).toBe(200)
  })

  test('keeps that limit when a deep folder is restored whose old place is deeper now, so it goes to the root', async () => {
    const place = await buildFolder(user)
    const tall = await buildChain(user, 60, place.id)
    await user.call(trashFile, { id: tall[0] ?? 0 })
    const deep = await buildChain(user, 50)
    await user.call(moveFile, { id: place.id, parent_id: deep.at(-1) ?? null })
    const { file } = await user.call(restoreFile, { id: tall[0] ?? 0 })
    expect(file.parent_id).toBeNull()
    const { file: bottom } = await user.call(getFile, { id: tall.at(-1) ?? 0 })
    expect(bottom.path.split('/')).toHaveLength(61)
  })
})
