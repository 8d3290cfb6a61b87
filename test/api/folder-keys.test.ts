/** Keys for one folder: it is their root, and nothing else exists for them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createFolder, getFile, getFileByPath, getFolderSize, listFiles, moveFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { createApiKey, listApiKeys } from '../../src/api/keys.ts'
import { searchFiles } from '../../src/api/search.ts'
import { deleteShare } from '../../src/api/shares.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import type { TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const permissions = ['files:read', 'files:search', 'files:upload', 'files:write', 'files:delete'] as const

let server: TestServer
let owner: BuiltUser
let outer: FileDetails
let folder: FileDetails
let file: FileDetails
let beside: FileDetails
let key: TestClient & { id: number }
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  owner = await buildUser(server)
  outer = await buildFolder(owner, 'Outer')
  folder = await buildFolder(owner, 'For the script', outer.id)
  file = await buildFile(owner, { name: 'inside.txt', parent_id: folder.id })
  beside = await buildFile(owner, { name: 'beside.txt', parent_id: outer.id })
  key = await keyFor(folder.id)
})
afterAll(() => server.close())

const keyFor = (scope_id: number, by = owner) => buildKey(server, by, [...permissions], 'script', { scope_id })

const refusal = (promise: Promise<unknown>): Promise<{ status: number; code: string }> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    ({ status, code }) => ({ status, code }),
  )
const unknown = { status: 404, code: 'not_found' }
const isForbidden = { status: 403, code: 'forbidden' }

test('the list of keys names their folders, as far as the caller sees them', async () => {
  const lender = await buildUser(server)
  const lent = await buildFolder(lender, 'Lent')
  const share = await buildShare(lender, lent, owner, 'view')
  await keyFor(lent.id)
  await keyFor(folder.id)
  const foldersOf = async (client: TestClient) =>
    (await client.call(listApiKeys, {})).folders?.map(({ name, path, place }) => [name, path, place?.from ?? null])
  expect((await foldersOf(owner))?.sort()).toEqual([
    ['For the script', '/Outer/For the script', null],
    ['Lent', '/', lender.username],
  ])
  await lender.call(deleteShare, { id: share.id })
  await owner.call(trashFile, { id: folder.id })
  expect(await foldersOf(owner)).toEqual([])
  const blind = await buildKey(server, owner, ['api-keys:manage'])
  expect((await blind.call(listApiKeys, {})).folders).toBeNull()
})

describe('a key for one folder', () => {
  test('has it as its root: listings, paths and what names no folder begin there', async () => {
    const listing = await key.call(listFiles, {})
    expect(listing).toMatchObject({ path: '/', breadcrumbs: [], folder: { id: folder.id, path: '/', parent_id: null } })
    expect(listing.files.map(({ id, path, place }) => [id, path, place])).toEqual([[file.id, '/inside.txt', null]])
    expect((await key.call(getFileByPath, { path: '/inside.txt' })).file.id).toBe(file.id)
    const { file: made } = await key.call(createFolder, { name: 'made' })
    expect((await owner.call(getFile, { id: made.id })).file.path).toBe('/Outer/For the script/made')
    await key.upload('bytes', { name: 'sent.txt', parent_id: made.id })
    expect((await key.upload('bytes', { name: 'sent.txt' })).path).toBe('/sent.txt')
    expect((await key.call(moveFile, { id: file.id, parent_id: made.id })).file.path).toBe('/made/inside.txt')
    expect((await key.call(moveFile, { id: file.id, parent_id: null })).file.path).toBe('/inside.txt')
    expect(await key.call(getFolderSize, { id: folder.id })).toMatchObject({ files: 3, folders: 1, is_exact: true })
    expect(await refusal(key.call(getFolderSize, { id: outer.id }))).toEqual(unknown)
  })

  test('finds nothing outside, by whatever call', async () => {
    for (const { id } of [outer, beside]) {
      expect(await refusal(key.call(getFile, { id }))).toEqual(unknown)
      expect(await refusal(key.call(trashFile, { id }))).toEqual(unknown)
      expect(await refusal(key.call(moveFile, { id: file.id, parent_id: id }))).toEqual(unknown)
    }
    expect((await key.call(searchFiles, { q: '.txt' })).files.map(({ id }) => id)).toEqual([file.id])
    expect(await refusal(key.call(searchFiles, { q: '.txt', in: outer.id }))).toEqual(unknown)
    expect(await refusal(key.call(trashFile, { id: folder.id }))).toEqual(isForbidden)
  })

  test('makes no call that is about no folder', async () => {
    for (const path of [
      '/files/stats',
      '/files/recent',
      '/files/largest',
      '/files/favorites',
      '/files/trash',
      '/spaces',
      '/shares/received',
    ]) {
      expect([path, (await key.raw(`/api${path}`)).status]).toEqual([path, 403])
    }
    const body = JSON.stringify({ action: 'favorite', ids: [file.id], is_favorite: true })
    const headers = { 'content-type': 'application/json' }
    expect((await key.raw('/api/files/batch', { method: 'POST', headers, body })).status).toBe(403)
  })

  test('reaches nothing once the folder is gone, also when another gets its name', async () => {
    await owner.call(trashFile, { id: folder.id })
    expect(await refusal(key.call(listFiles, {}))).toEqual(unknown)
    await owner.call(deleteFile, { id: folder.id })
    await buildFolder(owner, 'For the script', outer.id)
    expect(await refusal(key.call(listFiles, {}))).toEqual(unknown)
    expect(await refusal(key.call(getFile, { id: outer.id }))).toEqual(unknown)
    expect(await refusal(key.upload('bytes', { name: 'lost.txt' }))).toEqual(unknown)
  })

  test('is made for a folder that one sees, with permissions about files', async () => {
    const make = (input: object) => owner.call(createApiKey, { name: 'a key', permissions: ['files:read'], ...input })
    const other = await buildFolder(await buildUser(server))
    expect(await refusal(make({ scope_id: other.id }))).toEqual(unknown)
    expect(await refusal(make({ scope_id: file.id }))).toEqual(unknown)
    const tooMany = make({ scope_id: folder.id, permissions: ['files:read', 'api-keys:manage'] })
    expect(await refusal(tooMany)).toEqual({ status: 400, code: 'invalid_input' })
    expect((await make({ scope_id: folder.id })).scope_id).toBe(folder.id)
  })

  test('may in a shared folder what its owner may there, as long as it is shared', async () => {
    const anna = await buildUser(server)
    const share = await buildShare(owner, folder, anna, 'view')
    const hers = await keyFor(folder.id, anna)
    expect((await hers.call(listFiles, {})).files.map(({ id }) => id)).toEqual([file.id])
    expect(await refusal(hers.call(createFolder, { name: 'none' }))).toEqual(isForbidden)
    await owner.call(deleteShare, { id: share.id })
    expect(await refusal(hers.call(listFiles, {}))).toEqual(unknown)
  })
})

test('small files that a session and a key for one folder upload at once each go where they belong', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `both ${index}.txt`)
  const sent = names.flatMap(name => [owner.upload('of the session', { name }), key.upload('of the key', { name })])
  await Promise.all(sent)
  const inRoot = (await owner.call(listFiles, {})).files.map(({ name }) => name)
  const inFolder = (await owner.call(listFiles, { parent_id: folder.id })).files.map(({ name }) => name)
  expect(inRoot.sort()).toEqual([...names].sort())
  expect(inFolder.sort()).toEqual([...names, 'inside.txt'].sort())
})
