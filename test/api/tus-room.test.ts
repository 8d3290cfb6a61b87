/** The room that an unfinished upload holds free, and what becomes of uploads that nobody goes on with. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { maxUnfinishedUploads } from '../../src/api/limits.ts'
import { finishUpload } from '../../src/api/tus.ts'
import { deleteUser, updateUser } from '../../src/api/users.ts'
import { hour } from '../../src/base/clock.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { runJob } from '../support/jobs.ts'
import { onlyInFolder } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { askUpload, beginUpload, discard, head, idOf, patch } from '../support/tus.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterEach(async () => expect(await findMiscounts(server.deps.db)).toEqual([]))
afterAll(() => server.close())

const bytes = randomBytes(100_000)
const fileIdOf = (response: Response): number => Number(idOf(response.headers.get('content-location') ?? ''))
const profileOf = (user: TestClient) => user.call(getProfile, {})

/** An upload with all but its last byte. */
async function nearlyAll(user: TestClient, metadata: Record<string, unknown> = {}): Promise<string> {
  return beginUpload(user, { length: bytes.length, metadata, body: bytes.subarray(0, -1) })
}
const lastByte = (user: TestClient, address: string) => patch(user, address, bytes.length - 1, bytes.subarray(-1))

describe('the quota', () => {
  const storageQuota = 1_000_000

  test('holds the whole length of an upload free from its beginning, and no more', async () => {
    const user = await buildUser(server, { storageQuota })
    await buildFile(user, {}, randomBytes(100_000))
    const address = await beginUpload(user, { length: 600_000 })
    expect(await profileOf(user)).toMatchObject({ storage_used: 100_000, storage_reserved: 600_000 })
    await expect(buildFile(user, {}, randomBytes(300_001))).rejects.toMatchObject({ code: 'quota_exceeded' })
    const refused = await askUpload(user, { length: 300_001 })
    expect(await failure(refused)).toMatchObject({ status: 413, error: 'quota_exceeded' })
    await beginUpload(user, { length: 200_000 })
    await buildFile(user, {}, randomBytes(100_000))
    await expect(buildFile(user, {}, 'x')).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect((await discard(user, address)).status).toBe(204)
    expect(await profileOf(user)).toMatchObject({ storage_used: 200_000, storage_reserved: 200_000 })
  })

  test('is used in place of what was held once the file is there', async () => {
    const user = await buildUser(server, { storageQuota: bytes.length })
    const address = await nearlyAll(user)
    expect((await lastByte(user, address)).status).toBe(204)
    expect(await profileOf(user)).toMatchObject({ storage_used: bytes.length, storage_reserved: 0 })
  })

  test('needs room only for what a replaced file does not give', async () => {
    const user = await buildUser(server, { storageQuota: 150_000 })
    const { id } = await buildFile(user, { name: 'a.bin' }, randomBytes(90_000))
    const address = await nearlyAll(user, { name: 'a.bin', on_conflict: 'replace' })
    expect((await profileOf(user)).storage_reserved).toBe(10_000)
    expect(fileIdOf(await lastByte(user, address))).toBe(id)
    expect(await profileOf(user)).toMatchObject({ storage_used: 100_000, storage_reserved: 0 })
  })

  test('is never exceeded by many uploads that begin at once', async () => {
    const user = await buildUser(server, { storageQuota })
    const answers = await Promise.all(Array.from({ length: 50 }, () => askUpload(user, { length: 70_000 })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(14)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 413]))
    expect((await profileOf(user)).storage_reserved).toBe(14 * 70_000)
  })

  test('allows a limited number of unfinished uploads', async () => {
    const user = await buildUser(server)
    const addresses = await Promise.all(
      Array.from({ length: maxUnfinishedUploads }, () => beginUpload(user, { length: 1 })),
    )
    expect(await failure(await askUpload(user, { length: 1 }))).toMatchObject({ status: 409, error: 'in_use' })
    expect((await patch(user, addresses[0] ?? '', 0, Buffer.from('x'))).status).toBe(204)
    expect((await askUpload(user, { length: 1 })).status).toBe(201)
  })
})

describe('an upload into a shared folder', () => {
  test('holds room in the storage of its owner, and gives it back when its uploader is deleted', async () => {
    const [owner, guest] = [await buildUser(server), await buildUser(server)]
    const folder = await buildFolder(owner)
    await buildShare(owner, folder, guest, 'edit')
    await nearlyAll(guest, { parent_id: folder.id })
    expect((await profileOf(owner)).storage_reserved).toBe(bytes.length)
    expect((await profileOf(guest)).storage_reserved).toBe(0)
    await admin.call(deleteUser, { id: guest.id })
    expect((await profileOf(owner)).storage_reserved).toBe(0)
  })

  test('becomes no file once the share has ended', async () => {
    const [owner, guest] = [await buildUser(server), await buildUser(server)]
    const folder = await buildFolder(owner)
    const share = await buildShare(owner, folder, guest, 'edit')
    const address = await nearlyAll(guest, { parent_id: folder.id })
    await owner.raw(`/api/shares/${share.id}`, { method: 'DELETE' })
    expect((await lastByte(guest, address)).status).toBe(404)
    const { file } = await guest.call(finishUpload, { id: idOf(address), parent_id: null })
    expect(file.owner_id).toBe(guest.id)
    expect((await profileOf(owner)).storage_reserved).toBe(0)
  })
})

describe('an upload that nobody goes on with', () => {
  test('is gone from its date on, with its room and then its bytes', async context => {
    onlyInFolder(context)
    const user = await buildUser(server)
    const address = await nearlyAll(user)
    const { db, store } = server.deps
    const row = () =>
      db.row<{ blob_key: string; expires_at: number }>('SELECT blob_key, expires_at FROM uploads WHERE id = $1', [
        idOf(address),
      ])
    const { blob_key: key = '', expires_at: date = 0 } = (await row()) ?? {}
    expect(date).toBeGreaterThan(Date.now() + 71 * hour)
    await runJob(server.deps, 'uploads')
    expect((await head(user, address)).status).toBe(200)
    await db.touch(() => db.change('UPDATE uploads SET expires_at = $1 WHERE id = $2', [Date.now(), idOf(address)]))
    expect((await head(user, address)).status).toBe(404)
    expect(await store.size(key)).toBe(bytes.length - 1)
    await runJob(server.deps, 'uploads')
    expect(await row()).toBeUndefined()
    expect(await store.size(key)).toBeNull()
    expect((await profileOf(user)).storage_reserved).toBe(0)
  })

  test('becomes a file after a crash between its last byte and the file', async () => {
    const user = await buildUser(server)
    const address = await beginUpload(user, { length: bytes.length, metadata: { finish: 'explicit' }, body: bytes })
    const { db } = server.deps
    await db.touch(() => db.change("UPDATE uploads SET state = 'whole' WHERE id = $1", [idOf(address)]))
    await runJob(server.deps, 'interrupted uploads')
    expect((await head(user, address)).headers.get('content-location')).toMatch(/^\/api\/files\/\d+$/)
  })

  test('becomes none after a crash when its user may no longer upload', async () => {
    const user = await buildUser(server)
    const address = await beginUpload(user, { length: bytes.length, metadata: { finish: 'explicit' }, body: bytes })
    const { db } = server.deps
    await db.touch(() => db.change("UPDATE uploads SET state = 'whole' WHERE id = $1", [idOf(address)]))
    await admin.call(updateUser, { id: user.id, is_active: false })
    await runJob(server.deps, 'interrupted uploads')
    await admin.call(updateUser, { id: user.id, is_active: true })
    const again = await signIn(server.url, user.username, user.password)
    expect((await head(again, address)).status).toBe(409)
    expect((await again.call(finishUpload, { id: idOf(address) })).file.size).toBe(bytes.length)
  })
})
