/**
 * A folder that leaves a shared one, or is shared for handing in only, while somebody copies or downloads the shared one:
 * what is in it is neither copied nor sent. An id that was read before gives no access after it.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyFile, listFiles, moveFile } from '../../src/api/files.ts'
import { updateShare } from '../../src/api/shares.ts'
import { plantTree } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { countItems, expectTrueCounters, plant, until } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let owner: BuiltUser
let reader: BuiltUser
beforeAll(async () => {
  server = await startServer()
  owner = await buildUser(server)
  reader = await buildUser(server)
})
afterAll(() => server.close())

/** The folder in a folder that is read last. */
async function findLastFolder(parentId: number): Promise<number> {
  const { folders } = await owner.call(listFiles, { parent_id: parentId })
  return Math.max(...folders.map(({ id }) => id))
}

/** Starts a copy by the reader that takes many slices; it has not reached the last folder of the source yet. */
async function beginCopy() {
  const source = await plant(server, owner, (db, place) =>
    plantTree(db, place, `source ${randomBytes(4).toString('hex')}`, 2000),
  )
  const share = await buildShare(owner, { id: source }, reader, 'view')
  const before = await countItems(server, reader)
  const outcome = Promise.allSettled([reader.call(copyFile, { id: source, parent_id: null })])
  await until(async () => (await countItems(server, reader)) > before + 100)
  return {
    source,
    share,
    last: await findLastFolder(source),
    before,
    finish: () => outcome.then(([settled]) => settled),
  }
}

test('a copy of a shared folder gets 404 and leaves nothing when a folder in it is moved out', async () => {
  const { last, before, finish } = await beginCopy()
  await owner.call(moveFile, { id: last, parent_id: null })
  await buildFile(owner, { parent_id: last, name: 'written after the move' })
  expect(await finish()).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  expect(await countItems(server, reader)).toBe(before)
  await expectTrueCounters(server, reader)
})

test('a copy of a shared folder is complete when a folder in it is moved to another folder in it', async () => {
  const { source, last, before, finish } = await beginCopy()
  const other = await buildFolder(owner, 'Another', source)
  await owner.call(moveFile, { id: last, parent_id: other.id })
  expect(await finish()).toMatchObject({ status: 'fulfilled' })
  expect(await countItems(server, reader)).toBeGreaterThanOrEqual(before + 2001)
})

test('a copy of a shared folder gets 403 and leaves nothing when the reader may only hand in there', async () => {
  const { share, before, finish } = await beginCopy()
  await owner.call(updateShare, { id: share.id, level: 'upload' })
  expect(await finish()).toMatchObject({ status: 'rejected', reason: { status: 403 } })
  expect(await countItems(server, reader)).toBe(before)
  await expectTrueCounters(server, reader)
})

const secret = 'what the reader may not read any more'
const large = randomBytes(3 * 1024 ** 2)

/** A shared folder whose first folder has more bytes than the buffers of a connection take; the second has the secret. */
async function buildShared() {
  const root = await buildFolder(owner)
  const first = await buildFolder(owner, '1', root.id)
  const content = await buildFile(owner, { name: 'a', parent_id: first.id }, large)
  for (let n = 0; n < 7; n++) await owner.call(copyFile, { id: content.id, parent_id: first.id, name: `a-${n}` })
  const second = await buildFolder(owner, '2', root.id)
  await buildFile(owner, { parent_id: second.id }, secret)
  await buildShare(owner, root, reader, 'view')
  return { root, first, second }
}

/** What the reader receives of an archive when something happens after its first bytes. */
async function readWhile(id: number, act: () => Promise<unknown>) {
  const response = await reader.raw(`/api/files/${id}/archive`)
  await act()
  const parts: Uint8Array[] = []
  const read = async () => {
    for await (const part of response.body ?? []) parts.push(part)
  }
  const isWhole = await read().then(
    () => true,
    () => false,
  )
  return { isWhole, hasSecret: Buffer.concat(parts).includes(secret) }
}

test('a ZIP of a shared folder breaks off before a folder that has been moved out', async () => {
  const { root, second } = await buildShared()
  const moveOut = () => owner.call(moveFile, { id: second.id, parent_id: null })
  expect(await readWhile(root.id, moveOut)).toEqual({ isWhole: false, hasSecret: false })
})

test('a ZIP of a shared folder is complete when a folder in it is moved to another folder in it', async () => {
  const { root, first, second } = await buildShared()
  const moveDown = () => owner.call(moveFile, { id: second.id, parent_id: first.id })
  expect(await readWhile(root.id, moveDown)).toEqual({ isWhole: true, hasSecret: true })
})

/** Puts so many empty files into a folder that whoever walks it reads another page. */
async function fillPage(parentId: number): Promise<void> {
  for (const letter of ['m', 'n', 'o']) {
    const form = new FormData()
    form.set('parent_id', String(parentId))
    for (let n = 0; n < 90; n++) {
      form.append('item', JSON.stringify({ name: `${letter}-${n}` }))
      form.append('file', new Blob([]), `${letter}-${n}`)
    }
    const response = await owner.raw('/api/files/upload-many', { method: 'POST', body: form })
    expect(response.status).toBe(200)
  }
}

test('a ZIP of a shared folder breaks off when the reader may only hand in there', async () => {
  const folder = await buildFolder(owner)
  const content = await buildFile(owner, { name: 'a', parent_id: folder.id }, large)
  for (let n = 0; n < 7; n++) await owner.call(copyFile, { id: content.id, parent_id: folder.id, name: `a-${n}` })
  await fillPage(folder.id)
  await buildFile(owner, { name: 'z', parent_id: folder.id }, secret)
  const share = await buildShare(owner, folder, reader, 'view')
  const lower = () => owner.call(updateShare, { id: share.id, level: 'upload' })
  expect(await readWhile(folder.id, lower)).toEqual({ isWhole: false, hasSecret: false })
})
