/** The limit of items in a quota: folders, empty files and copies use no bytes, but they use rows. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { batchFiles, copyFile, createFolder, uploadFile } from '../../src/api/files.ts'
import { leastItems } from '../../src/api/limits.ts'
import { deleteFile, restoreFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser, updateUser } from '../../src/api/users.ts'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { fileStart, multipartType, openParts } from '../support/multipart.ts'
import { countItems, expectTrueCounters, plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

const tooMany = {
  status: 413,
  code: 'quota_exceeded',
  message: 'The quota allows no more files and folders; those in the trash count too',
}
const quota = 10 * 1024 ** 2

let server: TestServer
let admin: BuiltUser
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

/** Leaves a user room for this many items; returns the folder with all the others. */
async function fill(owner: BuiltUser, left: number): Promise<number> {
  return plant(server, owner, async (db, place) => {
    const folder = await plantFolder(db, place, null, 'planted')
    await plantEntries(db, place, folder, leastItems - left - 1)
    return folder
  })
}

describe('a user at the limit of items', () => {
  let [folder, file, full] = [0, 0, 0]
  beforeEach(async () => {
    user = await buildUser(server, { storageQuota: quota })
    ;[folder, file] = [(await buildFolder(user)).id, (await buildFile(user, { name: 'kept.txt' })).id]
    full = await fill(user, 2)
  })

  test('cannot create a folder, upload a file, even an empty one, or copy; nothing of them stays', async () => {
    await expect(user.call(createFolder, { name: 'new' })).rejects.toMatchObject(tooMany)
    for (const bytes of ['', 'x', Buffer.alloc(40_000)]) {
      await expect(buildFile(user, {}, bytes)).rejects.toMatchObject(tooMany)
    }
    for (const id of [file, folder, full]) await expect(user.call(copyFile, { id })).rejects.toMatchObject(tooMany)
    expect(await countItems(server, user)).toBe(leastItems)
    await expectTrueCounters(server, user)
  })

  test('can replace, trash and restore, and has room again only after a permanent deletion', async () => {
    await buildFile(user, { name: 'kept.txt', on_conflict: 'replace' }, 'other bytes')
    await user.call(createFolder, { name: 'planted', exist_ok: true })
    await user.call(trashFile, { id: file })
    await expect(buildFile(user)).rejects.toMatchObject(tooMany)
    await user.call(restoreFile, { id: file })
    await user.call(trashFile, { id: file })
    await user.call(deleteFile, { id: file })
    await buildFile(user)
    await expect(buildFile(user)).rejects.toMatchObject(tooMany)
  })

  test('may have one item more for each 4 KiB by which the quota grows', async () => {
    await admin.call(updateUser, { id: user.id, storage_quota: (leastItems + 2) * 4096 - 1 })
    await buildFolder(user)
    await expect(buildFolder(user)).rejects.toMatchObject({
      ...tooMany,
      message: 'The quota allows no more files and folders; those in the trash count too',
    })
  })

  test('gets 413 at the start of a large upload, before its bytes are sent', async () => {
    let sent = 0
    async function* large() {
      yield openParts([{ name: 'on_conflict', value: 'rename' }])
      yield fileStart('large.bin')
      for (; sent < 2048; sent++) yield Buffer.alloc(16 * 1024)
    }
    const headers = { ...user.headers, 'content-type': multipartType, 'content-length': '4000000' }
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: `/api${uploadFile.path}`,
      headers,
      body: large(),
    })
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([413, 'quota_exceeded'])
    expect(sent).toBeLessThan(2048)
  })
})

test('concurrent changes of one user together do not exceed the limit of items', async () => {
  user = await buildUser(server, { storageQuota: quota })
  await fill(user, 7)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? buildFolder(user) : buildFile(user))),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(tooMany)
  expect(await countItems(server, user)).toBe(leastItems)
  await expectTrueCounters(server, user)
})

test('a user with a quota of 0 may still create folders and empty files', async () => {
  user = await buildUser(server, { storageQuota: 0 })
  const [made, empty] = [await buildFolder(user), await buildFile(user, {}, '')]
  const { results } = await user.call(batchFiles, { action: 'move', ids: [empty.id], parent_id: made.id })
  expect(results).toEqual([{ id: empty.id, ok: true }])
})

test('files are transferred only to a user whose limit of items has room for them', async () => {
  const [giver, receiver] = [
    await buildUser(server, { storageQuota: quota }),
    await buildUser(server, { storageQuota: quota }),
  ]
  const [first] = [await buildFolder(giver), await buildFile(giver, {}, '')]
  await buildFile(giver, { parent_id: first.id }, '')
  await fill(receiver, 3)
  const give = () => admin.call(deleteUser, { id: giver.id, files: 'transfer', to: receiver.id })
  await expect(give()).rejects.toMatchObject(tooMany)
  await admin.call(updateUser, { id: receiver.id, storage_quota: (leastItems + 1) * 4096 })
  await give()
  expect(await countItems(server, receiver)).toBe(leastItems + 1)
  await expectTrueCounters(server, receiver)
})
