/** Resumable uploads that would outlive a right or a limit: the sender's, that of a place, and the quota. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { logout } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { deleteApiKey } from '../../src/api/keys.ts'
import { deleteShare } from '../../src/api/shares.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { finishUpload, listUploads } from '../../src/api/tus.ts'
import { updateUser } from '../../src/api/users.ts'
import { minute } from '../../src/base/clock.ts'
import { endWithRights } from '../../src/uploads/ended-rights.ts'
import { finishInterrupted } from '../../src/uploads/expiry.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildShare, buildUser } from '../support/factories.ts'
import { holdLastBytes } from '../support/held-body.ts'
import { ownerOf } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { askUpload, beginUpload, bytesType, head, idOf, patch, version } from '../support/tus.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterEach(async () => expect(await findMiscounts(server.deps.db)).toEqual([]))
afterAll(() => server.close())

const bytes = randomBytes(100_000)

const rowOf = (address: string) =>
  server.deps.db.row<{ state: string; target: string; header: string | null; blob_key: string | null }>(
    'SELECT state, target, header, blob_key FROM uploads WHERE id = $1',
    [idOf(address)],
  )

/** Sends all bytes, but the last one only after `end` has run; returns the status of the answer. */
async function sendAcross(client: TestClient, address: string, end: () => Promise<unknown>): Promise<number> {
  const headers = { ...version, ...bytesType, 'upload-offset': '0', 'content-length': String(bytes.length) }
  const request = { path: address, method: 'PATCH', headers, body: bytes }
  const finish = holdLastBytes(server.url, client, [request])
  const { store } = server.deps
  const key = (await rowOf(address))?.blob_key ?? ''
  // The request was admitted, and its bytes have a place.
  await expect.poll(() => store.size(key)).not.toBeNull()
  await end()
  const [answer] = await finish()
  return answer?.status ?? 0
}

async function expectNoFile(user: BuiltUser, address: string): Promise<void> {
  await finishInterrupted(server.deps, new AbortController().signal)
  expect((await user.call(listFiles, {})).files).toEqual([])
  expect(await rowOf(address)).toMatchObject({ state: 'open' })
  // Who is still admitted goes on with it.
  const offset = Number((await head(user, address)).headers.get('upload-offset'))
  expect(offset).toBeLessThan(bytes.length)
  expect((await patch(user, address, offset, bytes.subarray(offset))).status).toBe(204)
  expect((await user.call(listFiles, {})).files.map(({ size }) => size)).toEqual([bytes.length])
}

test('the last byte that comes after the session has ended makes no file, neither at once nor by a job', async () => {
  const user = await buildUser(server)
  const session = await signIn(server.url, user.username, user.password)
  const address = await beginUpload(session, { length: bytes.length })
  expect(await sendAcross(session, address, () => session.call(logout, {}))).toBe(401)
  await expectNoFile(user, address)
})

test('the last byte by a key that was deleted meanwhile makes no file of an upload that a session has begun', async () => {
  const user = await buildUser(server)
  const key = await buildKey(server, user, ['files:upload'])
  const address = await beginUpload(user, { length: bytes.length })
  expect(await sendAcross(key, address, () => user.call(deleteApiKey, { id: key.id }))).toBe(401)
  await expectNoFile(user, address)
})

test('uploads that replace a file take together no more than the quota, however many they are', async () => {
  const user = await buildUser(server)
  const { spaceId } = await ownerOf(server, user)
  await server.deps.db.touch(() =>
    server.deps.db.change('UPDATE spaces SET storage_quota = 300000 WHERE id = $1', [spaceId]),
  )
  await buildFile(user, { name: 'big.bin' }, bytes)
  const begin = { length: bytes.length, metadata: { on_conflict: 'replace', finish: 'explicit' } }
  const answers = []
  for (let n = 0; n < 5; n++) answers.push(await askUpload(user, begin))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 413, 413])
  const [first, , , refused] = answers
  expect(refused === undefined ? null : await failure(refused)).toMatchObject({ error: 'quota_exceeded' })
  // An account that is over its quota can still replace a file by one of the same size.
  await user.raw(first?.headers.get('location') ?? '', { method: 'DELETE', headers: version })
  expect((await askUpload(user, begin)).status).toBe(201)
})

test('who goes on with an upload to a place to which their right has ended holds room in their own tree alone', async () => {
  const [owner, guest] = [await buildUser(server), await buildUser(server)]
  const folder = await buildFolder(owner)
  const share = await buildShare(owner, folder, guest, 'edit')
  const metadata = { parent_id: folder.id, finish: 'explicit' }
  const address = await beginUpload(guest, { length: bytes.length, metadata, body: bytes })
  const expiry = async () => (await guest.call(listUploads, {})).uploads[0]?.expires_at
  const first = await expiry()
  await owner.call(deleteShare, { id: share.id })
  await expect(guest.call(finishUpload, { id: idOf(address) })).rejects.toMatchObject({ status: 404 })
  const reservedOf = async (user: BuiltUser) => {
    const { spaceId } = await ownerOf(server, user)
    const sql = 'SELECT storage_reserved AS bytes FROM spaces WHERE id = $1'
    return (await server.deps.db.row<{ bytes: number }>(sql, [spaceId]))?.bytes
  }
  expect([await expiry(), await reservedOf(owner), await reservedOf(guest)]).toEqual([first, 0, bytes.length])
  // The bytes can be saved elsewhere.
  await guest.call(finishUpload, { id: idOf(address), parent_id: null })
  expect((await guest.call(listFiles, {})).files.map(({ size }) => size)).toEqual([bytes.length])
})

const reservedIn = async (spaceId: number) => {
  const sql = 'SELECT storage_reserved AS bytes FROM spaces WHERE id = $1'
  return (await server.deps.db.row<{ bytes: number }>(sql, [spaceId]))?.bytes
}

test.each([
  ['the share has ended', 'moves to the sender'],
  ['the folder is deleted for good', 'moves to the sender'],
  ['the sender is disabled', 'moves to the sender'],
  ['the share has ended, and the sender has no room', 'ends with the upload'],
])('room in the place of another that waits for bytes when %s %s', async (what, fate) => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const [owner, guest] = [await buildUser(server), await buildUser(server)]
  const [theirs, own] = [(await ownerOf(server, owner)).spaceId, (await ownerOf(server, guest)).spaceId]
  const { db } = server.deps
  const folder = await buildFolder(owner)
  const share = await buildShare(owner, folder, guest, 'upload')
  const length = 1_000_000
  const address = await beginUpload(guest, { length, metadata: { parent_id: folder.id }, body: bytes.subarray(0, 1) })
  await endWithRights(server.deps, new AbortController().signal)
  expect([await reservedIn(theirs), await reservedIn(own)]).toEqual([length, 0])
  if (what.includes('no room'))
    await db.touch(() => db.change('UPDATE spaces SET storage_quota = 9 WHERE id = $1', [own]))
  if (what.includes('disabled')) await admin.call(updateUser, { id: guest.id, is_active: false })
  else if (what.includes('folder')) {
    await owner.call(trashFile, { id: folder.id })
    await owner.call(deleteFile, { id: folder.id })
  } else await owner.call(deleteShare, { id: share.id })
  await endWithRights(server.deps, new AbortController().signal)
  const isMoved = fate === 'moves to the sender'
  expect([await reservedIn(theirs), await reservedIn(own)]).toEqual([0, isMoved ? length : 0])
  expect(await rowOf(address)).toEqual(isMoved ? expect.objectContaining({ state: 'open' }) : undefined)
})

test('an upload by a key for one folder of the own tree is kept as long as all uploads into it', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user)
  const key = await buildKey(server, user, ['files:read', 'files:upload'], 'script', { scope_id: folder.id })
  const address = await beginUpload(key, { length: bytes.length })
  const one = await patch(key, address, 0, bytes.subarray(0, 1))
  const left = Date.parse(one.headers.get('upload-expires') ?? '') - Date.now()
  expect(left).toBeGreaterThan(71 * 60 * minute)
})

test('a byte from time to time holds no room of another for long, and a whole part of the file does', async () => {
  const [owner, guest] = [await buildUser(server), await buildUser(server)]
  const folder = await buildFolder(owner)
  await buildShare(owner, folder, guest, 'upload')
  const { db } = server.deps
  const address = await beginUpload(guest, { length: bytes.length, metadata: { parent_id: folder.id } })
  // It was begun fifty minutes ago.
  const sql = 'UPDATE uploads SET created_at = created_at - 3000000, expires_at = expires_at - 3000000 WHERE id = $1'
  await db.touch(() => db.change(sql, [idOf(address)]))
  const minutesLeft = (answer: Response) =>
    Math.round((Date.parse(answer.headers.get('upload-expires') ?? '') - Date.now()) / minute)
  const one = await patch(guest, address, 0, bytes.subarray(0, 1))
  expect([one.status, minutesLeft(one)]).toEqual([204, 10])
  const half = await patch(guest, address, 1, bytes.subarray(1, bytes.length / 2))
  expect([half.status, minutesLeft(half)]).toEqual([204, 10 + 36 * 60])
})

test('metadata that no file can have is refused before it is kept, and a finished upload keeps none', async () => {
  const user = await buildUser(server)
  const address = await beginUpload(user, { length: 0, metadata: { finish: 'explicit' } })
  const metadata = [{ field_id: 999_999, value: 'x'.repeat(9000) }]
  await expect(user.call(finishUpload, { id: idOf(address), metadata })).rejects.toMatchObject({ status: 400 })
  expect((await rowOf(address))?.target).not.toContain('xxx')
  await user.call(finishUpload, { id: idOf(address) })
  const row = await rowOf(address)
  expect([row?.state, row?.header, row?.target.includes('metadata')]).toEqual(['done', null, false])
})

test('uploads into folders that went to the trash take together no more than the quota', async () => {
  const user = await buildUser(server)
  const { spaceId } = await ownerOf(server, user)
  const { db } = server.deps
  await db.touch(() => db.change('UPDATE spaces SET storage_quota = 250000 WHERE id = $1', [spaceId]))
  const statuses: number[] = []
  for (let n = 0; n < 4; n++) {
    const folder = await buildFolder(user)
    const metadata = { parent_id: folder.id, finish: 'explicit' }
    const answer = await askUpload(user, { length: bytes.length, metadata, body: bytes })
    statuses.push(answer.status)
    await user.call(trashFile, { id: folder.id })
    if (answer.status === 201) {
      await patch(user, answer.headers.get('location') ?? '', bytes.length, Buffer.alloc(0))
    }
  }
  expect(statuses).toEqual([201, 201, 413, 413])
})
