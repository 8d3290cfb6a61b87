/** While the files of a deleted user go to another, nobody takes a part of a folder for the whole. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  batchFiles,
  copyFile,
  createFolder,
  favoriteFile,
  getFile,
  getFolderSize,
  listFavorites,
  listFiles,
  moveFile,
  renameFile,
} from '../../src/api/files.ts'
import { listApiKeys } from '../../src/api/keys.ts'
import { searchFiles } from '../../src/api/search.ts'
import { listReceived } from '../../src/api/shares.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { finishUpload } from '../../src/api/tus.ts'
import { deleteUser } from '../../src/api/users.ts'
import { endWithRights } from '../../src/uploads/ended-rights.ts'
import { finishInterrupted } from '../../src/uploads/expiry.ts'
import { plantEntries } from '../bench/plant.ts'
import { runOn } from '../commands/administration.ts'
import { runFsck } from '../commands/fsck-run.ts'
import { beforeRead } from '../support/before-statement.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildShare,
  buildTag,
  buildUser,
  disableUser,
} from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { breakOff } from '../support/transfer.ts'
import { beginUpload, head, idOf, offsetOf, patch } from '../support/tus.ts'

let server: TestServer
let admin: TestClient
let giver: BuiltUser
let heir: BuiltUser
let anna: BuiltUser
/** A folder that is shared with Anna, and a file of hers; below it a folder with many items. */
let shared: { id: number }
let wide: { id: number }
let note: { id: number }
const entries = 240

beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

beforeEach(async () => {
  ;[giver, heir, anna] = [await buildUser(server), await buildUser(server), await buildUser(server)]
  shared = await buildFolder(giver, 'Shared')
  wide = await buildFolder(giver, 'Wide', shared.id)
  await plant(server, giver, (db, owner) => plantEntries(db, owner, wide.id, entries))
  await buildShare(giver, shared, anna, 'edit')
  note = await buildFile(anna, { parent_id: shared.id, name: 'note.txt' }, 'a note')
})

/** Leaves the transfer in the middle, as between two of its slices. */
async function stopHalfway(): Promise<void> {
  expect(await breakOff(server, giver, heir)).toBe(true)
  await disableUser(server, giver.id)
}

const goOn = () => admin.call(deleteUser, { id: giver.id, files: 'transfer', to: heir.id })

const refusal = { status: 503, code: 'unavailable' }
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    ({ status, code }) => ({ status, code }),
  )

describe('a folder in transit', () => {
  test('is closed to whom it is shared with, until all of it has arrived', async () => {
    const own = await buildFolder(anna)
    const key = await buildKey(server, anna, ['files:read'], 'script', { scope_id: shared.id })
    await anna.call(favoriteFile, { id: wide.id, is_favorite: true })
    await stopHalfway()
    const calls: Record<string, () => Promise<unknown>> = {
      list: () => anna.call(listFiles, { parent_id: wide.id }),
      'list above': () => anna.call(listFiles, { parent_id: shared.id }),
      'list by a key for it': () => key.call(listFiles, {}),
      item: () => anna.call(getFile, { id: wide.id }),
      'an item that has gone ahead': () => anna.call(getFile, { id: note.id }),
      size: () => anna.call(getFolderSize, { id: wide.id }),
      search: () => anna.call(searchFiles, { q: 'Report', in: String(shared.id) }),
      copy: () => anna.call(copyFile, { id: wide.id, parent_id: own.id }),
      move: () => anna.call(moveFile, { id: wide.id, parent_id: own.id }),
      rename: () => anna.call(renameFile, { id: wide.id, name: 'New' }),
      trash: () => anna.call(trashFile, { id: wide.id }),
      favorite: () => anna.call(favoriteFile, { id: wide.id, is_favorite: false }),
      'new folder': () => anna.call(createFolder, { name: 'New', parent_id: wide.id }),
      upload: () => buildFile(anna, { parent_id: wide.id }),
      'upload of much': () => buildFile(anna, { parent_id: wide.id }, Buffer.alloc(100_000)),
      replace: () => buildFile(anna, { parent_id: shared.id, name: 'note.txt', on_conflict: 'replace' }),
    }
    const outcomes: Record<string, unknown> = {}
    for (const [name, call] of Object.entries(calls)) outcomes[name] = await outcome(call())
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(calls).map(name => [name, refusal])))
    for (const path of [`/${wide.id}/archive`, `/${note.id}/download`, `?parent_id=${wide.id}`]) {
      const response = await anna.raw(`/api/files${path}`)
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    }
    const stranger = await buildUser(server)
    expect(await outcome(stranger.call(getFile, { id: wide.id }))).toMatchObject({ status: 404 })
    await goOn()
    expect((await anna.call(listFiles, { parent_id: wide.id })).total).toBe(entries)
    expect((await key.call(listFiles, {})).total).toBe(2)
    expect((await anna.call(getFile, { id: note.id })).file.path).toBe('/note.txt')
  })

  test('is in no list meanwhile, and all else of the same user stays open', async () => {
    const own = await buildFile(anna, { name: 'Report of hers' })
    await anna.call(favoriteFile, { id: wide.id, is_favorite: true })
    await stopHalfway()
    expect((await anna.call(listReceived, {})).shares).toEqual([])
    expect((await anna.call(listFavorites, {})).files).toEqual([])
    expect((await anna.call(searchFiles, { q: 'Report' })).files.map(({ id }) => id)).toEqual([own.id])
    const { results } = await anna.call(batchFiles, { action: 'trash', ids: [note.id, own.id] })
    expect(results).toMatchObject([{ ok: false, error: 'unavailable' }, { ok: true }])
    const [late, fine] = await Promise.allSettled([buildFile(anna, { parent_id: shared.id }), buildFile(anna)])
    expect(late).toMatchObject({ status: 'rejected', reason: refusal })
    expect(fine.status).toBe('fulfilled')
    await goOn()
    expect((await anna.call(listReceived, {})).shares).toMatchObject([{ item: { id: shared.id } }])
    expect((await anna.call(listFavorites, {})).files).toMatchObject([{ id: wide.id }])
  })

  test('does not stop the marks of other items in the same batch', async () => {
    const [own, tag, away] = [await buildFile(anna), await buildTag(anna), 2 ** 40]
    await stopHalfway()
    const ids = [own.id, wide.id, note.id, away]
    const batches = [
      { action: 'favorite', ids, is_favorite: true },
      { action: 'tag', ids, tag_id: tag.id },
      { action: 'untag', ids, tag_id: tag.id },
    ] as const
    for (const batch of batches) {
      expect((await anna.call(batchFiles, batch)).results).toMatchObject([
        { id: own.id, ok: true },
        { id: wide.id, ok: false, error: 'unavailable' },
        { id: note.id, ok: false, error: 'unavailable' },
        { id: away, ok: false, error: 'not_found' },
      ])
    }
    expect((await anna.call(listFavorites, {})).files).toMatchObject([{ id: own.id }])
    expect(await outcome(anna.call(tagFiles, { tag_id: tag.id, file_ids: [own.id, note.id] }))).toEqual(refusal)
    await goOn()
  })

  test('is not named in the list of keys meanwhile, which is told all the same', async () => {
    const own = await buildFolder(anna)
    for (const scope_id of [own.id, shared.id]) await buildKey(server, anna, ['files:read'], 'script', { scope_id })
    await stopHalfway()
    const { api_keys, folders } = await anna.call(listApiKeys, {})
    expect(api_keys.map(({ scope_id }) => scope_id)).toEqual(expect.arrayContaining([own.id, shared.id]))
    expect(folders).toMatchObject([{ id: own.id }])
    await goOn()
    expect((await anna.call(listApiKeys, {})).folders?.length).toBe(2)
  })

  test('does not close what else the receiver has, nor what has arrived', async () => {
    const own = await buildFile(heir)
    await stopHalfway()
    expect((await heir.call(listFiles, {})).files).toMatchObject([{ id: own.id }])
    await buildFile(heir)
    await heir.call(trashFile, { id: own.id })
    const [arrived] = (await heir.call(searchFiles, { q: 'Report', limit: 1 })).files
    await heir.call(trashFile, { id: arrived?.id ?? 0 })
    await heir.call(deleteFile, { id: arrived?.id ?? 0 })
    await goOn()
    expect((await heir.call(listFiles, { parent_id: wide.id })).total).toBe(entries - 1)
  })

  test('is told by an export, and is no finding of fsck', async () => {
    await stopHalfway()
    const out = await mkdtemp(join(tmpdir(), 'filestore-transit-'))
    onTestFinished(() => rm(out, { recursive: true, force: true }))
    const { code, stdout, stderr } = await runOn(server, ['export', out, '--user', giver.username])
    expect([code, stdout + stderr]).toEqual([7, expect.stringContaining('being transferred')])
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
    await goOn()
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  })
})

describe('the resumable uploads of others into a folder', () => {
  const bytes = Buffer.alloc(100_000, 'x')

  test('wait while it is transferred, and go on after that', async () => {
    const metadata = { parent_id: shared.id }
    const whole = await beginUpload(anna, {
      length: bytes.length,
      metadata: { ...metadata, finish: 'explicit' },
      body: bytes,
    })
    const part = await beginUpload(anna, { length: bytes.length, metadata, body: bytes.subarray(0, 60_000) })
    await stopHalfway()
    expect(offsetOf(await head(anna, part))).toBe('60000')
    expect(await failure(await patch(anna, part, 60_000, bytes.subarray(60_000)))).toMatchObject({ status: 503 })
    expect(await outcome(anna.call(finishUpload, { id: idOf(whole) }))).toEqual(refusal)
    await endWithRights(server.deps, new AbortController().signal)
    await finishInterrupted(server.deps, new AbortController().signal)
    await goOn()
    expect(await findMiscounts(server.deps.db)).toEqual([])
    expect((await patch(anna, part, 60_000, bytes.subarray(60_000))).status).toBe(204)
    const { file } = await anna.call(finishUpload, { id: idOf(whole), name: 'whole.bin' })
    expect(file).toMatchObject({ path: '/whole.bin', size: bytes.length })
    expect(await findMiscounts(server.deps.db)).toEqual([])
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  })

  test('keep their pieces when all is transferred at once', async () => {
    const few = await buildUser(server)
    const folder = await buildFolder(few)
    await buildShare(few, folder, anna, 'edit')
    const metadata = { parent_id: folder.id, finish: 'explicit' }
    const address = await beginUpload(anna, { length: bytes.length, metadata, body: bytes })
    await admin.call(deleteUser, { id: few.id, files: 'transfer', to: heir.id })
    expect(offsetOf(await head(anna, address))).toBe(String(bytes.length))
    expect((await anna.call(finishUpload, { id: idOf(address) })).file.size).toBe(bytes.length)
    expect(await findMiscounts(server.deps.db)).toEqual([])
  })

  test('need room with the receiver, too', async () => {
    const narrow = await buildUser(server, { storageQuota: 50_000 })
    const few = await buildUser(server)
    const folder = await buildFolder(few)
    await buildShare(few, folder, anna, 'edit')
    await beginUpload(anna, { length: bytes.length, metadata: { parent_id: folder.id } })
    const giving = admin.call(deleteUser, { id: few.id, files: 'transfer', to: narrow.id })
    expect(await outcome(giving)).toMatchObject({ code: 'quota_exceeded' })
    expect(await findMiscounts(server.deps.db)).toEqual([])
  })
})

test('whoever lists, copies or measures a folder during its transfer gets all of it or a refusal', async () => {
  const own = await buildFolder(anna)
  let isOver = false
  const seen: unknown[] = []
  const read = async (call: () => Promise<number>) => {
    while (!isOver) seen.push(await call().catch(error => error.status))
  }
  const readers = [
    read(async () => (await anna.call(listFiles, { parent_id: wide.id, limit: 1 })).total),
    read(async () => (await anna.call(getFolderSize, { id: wide.id })).files + 24),
    read(async () => {
      const { file } = await anna.call(copyFile, { id: wide.id, parent_id: own.id })
      return (await anna.call(listFiles, { parent_id: file.id, limit: 1 })).total
    }),
  ]
  await goOn().finally(() => {
    isOver = true
  })
  await Promise.all(readers)
  expect([...new Set(seen)].filter(one => one !== entries && one !== 503)).toEqual([])
  expect((await anna.call(listFiles, { parent_id: wide.id, limit: 1 })).total).toBe(entries)
})

test.for<[string, (id: number) => Promise<Response>]>([
  ['list', id => anna.raw(`/api/files?parent_id=${id}`)],
  ['size', id => anna.raw(`/api/files/${id}/size`)],
])('the %s of a folder that is deleted meanwhile is 404, and not told to be in transit', async ([, ask], context) => {
  onlyOneServer('process', context)
  const statuses: number[] = []
  for (let n = 1; ; n++) {
    const { id } = await buildFolder(giver, `Gone ${n}`, shared.id)
    const remove = async () => {
      await giver.call(trashFile, { id })
      await giver.call(deleteFile, { id })
    }
    const answer = await beforeRead(server, n, remove, () => ask(id))
    if (answer === null) break
    statuses.push(answer.status)
  }
  expect([...new Set(statuses)].filter(status => status !== 200)).toEqual([404])
})
