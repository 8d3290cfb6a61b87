/** Hand-ins that are not approved: who may take them back, and who may throw away what a reviewer rejected. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { batchFiles, getFile, listFiles } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { getFileStats, searchFiles } from '../../src/api/search.ts'
import { deleteShare } from '../../src/api/shares.ts'
import { emptyTrash, listTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { decideFile } from '../../src/api/validation.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildReviewer,
  buildShare,
  buildTeam,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient
let reviewer: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  reviewer = await buildReviewer(server)
  await turnSettings(admin, { validation_enabled: true })
})
afterAll(() => server.close())

const reject = (file: FileDetails) =>
  reviewer.call(decideFile, { file_id: file.id, status: 'rejected', comment: 'not this one' })
const namesIn = async (client: TestClient, folder: { id: number }) =>
  (await client.call(listFiles, { parent_id: folder.id })).files.map(({ name }) => name)
const statusOf = async (client: TestClient, path: string, method = 'GET') =>
  (await client.raw(`/api/files/${path}`, { method })).status

describe('in a drop box', () => {
  let owner: BuiltUser
  let student: BuiltUser
  let box: FileDetails
  beforeEach(async () => {
    ;[owner, student] = [await buildUser(server), await buildUser(server)]
    box = await buildFolder(owner)
    await buildShare(owner, box, student, 'upload')
  })

  const handIn = (name = 'essay.txt') => buildFile(student, { name, parent_id: box.id }, 'an essay')

  test('who has handed in takes it back while it waits, and hands in another under the same name', async () => {
    const file = await handIn()
    expect(file.may).toMatchObject({ change: false, organise: false, trash: true })
    const { file: trashed } = await student.call(trashFile, { id: file.id })
    expect(trashed).toMatchObject({ id: file.id, may: { trash: false } })
    expect(trashed.deleted_at).not.toBeNull()
    expect(await namesIn(student, box)).toEqual([])
    expect(await statusOf(student, `${file.id}`)).toBe(404)
    expect(await statusOf(student, `${file.id}/restore`, 'PUT')).toBe(404)
    expect((await handIn()).name).toBe(file.name)
  })

  test('who has handed in takes back what was rejected, also many at once', async () => {
    const files = [await handIn('one.txt'), await handIn('two.txt')]
    for (const file of files) await reject(file)
    const { results } = await student.call(batchFiles, { action: 'trash', ids: files.map(({ id }) => id) })
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
  })

  test('an approved hand-in stays', async () => {
    const file = await handIn()
    await reviewer.call(decideFile, { file_id: file.id, status: 'approved' })
    expect((await student.call(getFile, { id: file.id })).file.may.trash).toBe(false)
    expect(await statusOf(student, `${file.id}/trash`, 'PUT')).toBe(403)
  })

  test('nothing is taken back once the share has ended, or allows only to look', async () => {
    const file = await handIn()
    await buildShare(owner, box, student, 'view')
    expect(await statusOf(student, `${file.id}/trash`, 'PUT')).toBe(403)
    const share = await buildShare(owner, box, student, 'upload')
    await owner.call(deleteShare, { id: share.id })
    expect(await statusOf(student, `${file.id}/trash`, 'PUT')).toBe(404)
  })

  test('the owner sees that a file was rejected and why, without its content, and nothing of one that waits', async () => {
    const [rejected, waiting] = [await handIn('rejected.txt'), await handIn('waiting.txt')]
    await reject(rejected)
    const listing = await owner.call(listFiles, { parent_id: box.id })
    expect(listing).toMatchObject({ total: 1, held: 1 })
    const closed = { see: false, add: false, change: false, organise: false, trash: true, share: false }
    expect(listing.files).toMatchObject([
      {
        id: rejected.id,
        owner_name: student.username,
        validation_status: 'rejected',
        validation_comment: 'not this one',
        may: closed,
        place: null,
        thumbnail_path: null,
      },
    ])
    expect((await owner.call(getFile, { id: rejected.id })).file).toMatchObject({ sha256: null, may: closed })
    expect(await statusOf(owner, `${waiting.id}`)).toBe(404)
    const byPath = `by-path?path=${encodeURIComponent(`/${box.name}/${rejected.name}`)}`
    expect(await statusOf(owner, byPath)).toBe(200)
    expect(await statusOf(owner, `${rejected.id}/download`)).toBe(403)
    expect((await owner.call(searchFiles, { q: 'rejected' })).files).toEqual([])
    expect((await owner.call(getFileStats, {})).total_files).toBe(0)
    expect(await statusOf(owner, `${box.id}/archive`)).toBe(200)
  })

  test('the owner throws a rejected file away, takes it out of the trash again, and deletes it for good', async () => {
    const file = await handIn()
    await reject(file)
    await owner.call(trashFile, { id: file.id })
    expect((await owner.call(listTrash, {})).files).toMatchObject([{ id: file.id, validation_status: 'rejected' }])
    await owner.call(restoreFile, { id: file.id })
    expect(await namesIn(owner, box)).toEqual([file.name])
    await owner.call(trashFile, { id: file.id })
    expect(await statusOf(owner, `${file.id}/permanent`, 'DELETE')).toBe(200)
    expect(await namesIn(student, box)).toEqual([])
  })

  test('what was taken back while it waited is in nobody’s list, and goes when the trash is emptied', async () => {
    const file = await handIn()
    await student.call(trashFile, { id: file.id })
    expect((await owner.call(listTrash, {})).files).toEqual([])
    expect(await owner.call(emptyTrash, { older_than_days: 0 })).toEqual({ deleted: 1 })
  })

  test('a reviewer opens a rejected file, and does nothing else with it', async () => {
    const file = await handIn()
    await reject(file)
    expect(await statusOf(reviewer, `${file.id}/download`)).toBe(200)
    expect(await statusOf(reviewer, `${file.id}/trash`, 'PUT')).toBe(404)
  })
})

test('in a team folder its manager throws away what was rejected of a member who has left, and an editor does not see it', async () => {
  const [manager, editor, leaver] = [await buildUser(server), await buildUser(server), await buildUser(server)]
  const folder = { id: (await buildTeam(admin, manager)).folder_id }
  await buildShare(manager, folder, editor, 'edit')
  const share = await buildShare(manager, folder, leaver, 'edit')
  const file = await buildFile(leaver, { parent_id: folder.id })
  await reject(file)
  await manager.call(deleteShare, { id: share.id })
  expect(await namesIn(editor, folder)).toEqual([])
  expect(await statusOf(editor, `${file.id}/trash`, 'PUT')).toBe(404)
  expect(await namesIn(manager, folder)).toEqual([file.name])
  await manager.call(trashFile, { id: file.id })
  expect((await editor.call(listTrash, { folder_id: folder.id })).files).toEqual([])
  expect((await manager.call(listTrash, { folder_id: folder.id })).files.map(({ id }) => id)).toEqual([file.id])
  expect(await statusOf(manager, `${file.id}/permanent`, 'DELETE')).toBe(200)
})
