/** Working in others' places: what lies there, under which names and paths, and what waits there for approval. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, getFileByPath, listFileEvents, listFiles, moveFile, renameFile } from '../../src/api/files.ts'
import { searchFiles } from '../../src/api/search.ts'
import { deleteShare } from '../../src/api/shares.ts'
import { listTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let owner: BuiltUser
let editor: BuiltUser
beforeAll(async () => {
  server = await startServer()
  owner = await buildUser(server)
  editor = await buildUser(server)
})
afterAll(() => server.close())

const refusal = (promise: Promise<unknown>): Promise<{ status: number; code: string }> =>
  promise.then(
    () => expect.fail('the call succeeded'),
    ({ status, code }) => ({ status, code }),
  )
const unknown = { status: 404, code: 'not_found' }

/** A shared folder inside another, with a folder and a file in it. */
async function buildPlace(level: 'view' | 'upload' | 'edit' = 'edit', to = editor) {
  const outer = await buildFolder(owner, undefined)
  const root = await buildFolder(owner, 'Shared', outer.id)
  const inner = await buildFolder(owner, 'Inner', root.id)
  const file = await buildFile(owner, { name: 'inside.txt', parent_id: inner.id })
  return { outer, root, inner, file, share: await buildShare(owner, root, to, level) }
}

describe('a place', () => {
  test('begins at its root: nothing above it leaves the server', async () => {
    const { outer, root, inner, file } = await buildPlace()
    const listing = await editor.call(listFiles, { parent_id: inner.id })
    expect(listing).toMatchObject({
      path: '/Inner',
      breadcrumbs: [{ id: inner.id, name: 'Inner', path: '/Inner' }],
      folder: { path: '/Inner', parent_id: root.id },
      files: [{ id: file.id, path: '/Inner/inside.txt', owner_name: owner.username }],
    })
    expect((await editor.call(getFile, { id: root.id })).file).toMatchObject({ path: '/', parent_id: null })
    expect(JSON.stringify(listing)).not.toContain(outer.name)
    expect((await editor.call(getFileByPath, { path: '/Inner/inside.txt', in: root.id })).file.id).toBe(file.id)
    expect(await refusal(editor.call(getFileByPath, { path: '/Inner/inside.txt' }))).toEqual(unknown)
  })

  test('takes what is put there into its own quota, whoever puts it', async () => {
    const { root } = await buildPlace()
    const before = (await (await owner.raw('/api/auth/profile')).json()).data.storage_used
    await editor.upload(Buffer.alloc(1000), { parent_id: root.id, name: 'thousand.bin' })
    const after = (await (await owner.raw('/api/auth/profile')).json()).data.storage_used
    expect(after - before).toBe(1000)
    expect((await (await editor.raw('/api/auth/profile')).json()).data.storage_used).toBe(0)
  })

  test('keeps what an editor trashes, who may restore it', async () => {
    const { inner, file } = await buildPlace()
    await editor.call(trashFile, { id: file.id })
    expect((await editor.call(listTrash, {})).total).toBe(0)
    expect((await owner.call(listTrash, {})).files.map(({ id }) => id)).toContain(file.id)
    expect((await editor.call(restoreFile, { id: file.id })).file.parent_id).toBe(inner.id)
  })

  test('gets back what is restored where the folder is gone, into the nearest one that is left', async () => {
    const { root, inner, file } = await buildPlace()
    await editor.call(trashFile, { id: file.id })
    await owner.call(trashFile, { id: inner.id })
    await owner.raw(`/api/files/${inner.id}/permanent`, { method: 'DELETE' })
    expect((await editor.call(restoreFile, { id: file.id })).file).toMatchObject({
      parent_id: root.id,
      path: '/inside.txt',
    })
    expect((await owner.call(getFile, { id: file.id })).file.parent_id).toBe(root.id)
  })

  test('tells an editor what was done to a file since it came there last, and nothing from outside', async () => {
    const { outer, root, file, share } = await buildPlace()
    await owner.call(renameFile, { id: file.id, name: 'renamed.txt' })
    await owner.call(moveFile, { id: file.id, parent_id: outer.id })
    await owner.call(moveFile, { id: file.id, parent_id: root.id })
    const { events } = await editor.call(listFileEvents, { id: file.id })
    expect(events.map(({ action, detail, address }) => [action, detail, address])).toEqual([
      ['file.move', { to: root.id }, null],
    ])
    await owner.call(renameFile, { id: file.id, name: 'again.txt' })
    const renamed = (await editor.call(listFileEvents, { id: file.id })).events[0]
    expect(renamed?.detail).toEqual({ from: 'renamed.txt', to: 'again.txt' })
    await owner.call(deleteShare, { id: share.id })
    expect(await refusal(editor.call(listFileEvents, { id: file.id }))).toEqual(unknown)
  })
})

describe('a drop box', () => {
  test('takes files under the name of who sends them, and shows them nothing else', async () => {
    const dropper = await buildUser(server)
    const { root } = await buildPlace('upload', dropper)
    const sent = await dropper.upload('my essay', { parent_id: root.id, name: 'essay.pdf' })
    expect(sent).toMatchObject({ name: `${dropper.username} - essay.pdf`, parent_id: root.id, place: { id: root.id } })
    const listing = await dropper.call(listFiles, { parent_id: root.id })
    expect(listing).toMatchObject({ total: 1, total_folders: 0, folders: [], held: null })
    expect(listing.files.map(({ id }) => id)).toEqual([sent.id])
    expect((await dropper.call(searchFiles, { q: 'essay' })).files.map(({ id }) => id)).toEqual([sent.id])
  })

  test('answers alike whether others have handed in the same name or not', async () => {
    const [one, two] = [await buildUser(server), await buildUser(server)]
    const { root } = await buildPlace('upload', one)
    await buildShare(owner, root, two, 'upload')
    const etagOf = async () => (await two.raw(`/api/files?parent_id=${root.id}`)).headers.get('etag')
    expect(await etagOf()).toBeNull()
    const empty = await two.call(listFiles, { parent_id: root.id })
    await one.upload('first', { parent_id: root.id, name: 'essay.pdf' })
    expect(await two.call(listFiles, { parent_id: root.id })).toEqual({ ...empty, folder: expect.anything() })
    expect((await two.call(searchFiles, { q: 'essay' })).files).toEqual([])
    expect((await two.call(searchFiles, { q: 'essay', in: root.id })).files).toEqual([])
    const sent = await two.upload('second', { parent_id: root.id, name: 'essay.pdf', on_conflict: 'fail' })
    expect(sent.name).toBe(`${two.username} - essay.pdf`)
    const again = two.upload('third', { parent_id: root.id, name: 'essay.pdf', on_conflict: 'fail' })
    expect(await refusal(again)).toEqual({ status: 409, code: 'name_taken' })
    const replace = two.upload('fourth', { parent_id: root.id, name: 'essay.pdf', on_conflict: 'replace' })
    expect(await refusal(replace)).toEqual({ status: 403, code: 'forbidden' })
  })
})

test('who may change one folder and only add to another of the same owner moves nothing from one to the other', async () => {
  const user = await buildUser(server)
  const [edited, box] = [await buildPlace('edit', user), await buildPlace('upload', user)]
  const move = user.call(moveFile, { id: edited.file.id, parent_id: box.root.id })
  expect(await refusal(move)).toEqual({ status: 403, code: 'forbidden' })
  expect((await owner.call(getFile, { id: edited.file.id })).file.parent_id).toBe(edited.inner.id)
})

describe('a move between spaces', () => {
  test('makes a copy there and puts the original into the trash of its place', async () => {
    const { inner, file } = await buildPlace()
    const target = await buildFolder(editor)
    const { file: moved } = await editor.call(moveFile, { id: inner.id, parent_id: target.id })
    expect(moved).toMatchObject({ name: 'Inner', parent_id: target.id, place: null, owner_id: editor.id })
    const { files } = await editor.call(listFiles, { parent_id: moved.id })
    expect(files.map(({ name }) => name)).toEqual(['inside.txt'])
    expect((await owner.call(listTrash, {})).files.map(({ id }) => id)).toContain(inner.id)
    await owner.call(restoreFile, { id: inner.id })
    expect((await editor.call(getFile, { id: file.id })).file.path).toBe('/Inner/inside.txt')
  })

  test('is 409 if the name is taken, and changes nothing then', async () => {
    const { file } = await buildPlace()
    const target = await buildFolder(editor)
    await buildFile(editor, { parent_id: target.id, name: file.name })
    const move = editor.call(moveFile, { id: file.id, parent_id: target.id })
    expect(await refusal(move)).toEqual({ status: 409, code: 'name_taken' })
    expect((await owner.call(getFile, { id: file.id })).file.deleted_at).toBeNull()
  })
})
