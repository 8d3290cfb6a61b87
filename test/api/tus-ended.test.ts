/** Uploads that end while somebody still works on them: what has become a file stays, and nothing is held free for good. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deleteShare } from '../../src/api/shares.ts'
import { finishUpload, listUploads } from '../../src/api/tus.ts'
import { hour } from '../../src/base/clock.ts'
import { endExpired } from '../../src/uploads/expiry.ts'
import { findMiscounts } from '../support/counters.ts'
import { buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { beginUpload, idOf, patch } from '../support/tus.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterEach(async () => expect(await findMiscounts(server.deps.db)).toEqual([]))
afterAll(() => server.close())

const bytes = randomBytes(100_000)

test('an upload that becomes a file just before it is ended as expired keeps its bytes', async () => {
  const user = await buildUser(server)
  const metadata = { finish: 'explicit' }
  const id = idOf(await beginUpload(user, { length: bytes.length, metadata, body: bytes }))
  const { db, clock } = server.deps
  let made: number | undefined
  // The job has found the upload, and has yet to end it.
  const finishFirst: typeof db.touch = async work => {
    made ??= (await user.call(finishUpload, { id })).file.id
    return db.touch(work)
  }
  const later = { ...clock, now: () => clock.now() + 1000 * hour }
  await endExpired({ ...server.deps, clock: later, db: { ...db, touch: finishFirst } }, new AbortController().signal)
  const read = await user.raw(`/api/files/${made}/download`)
  expect(Buffer.from(await read.arrayBuffer())).toEqual(bytes)
})

test('bytes for a folder to which the right has ended do not put off the end of the upload', async () => {
  const [owner, guest] = [await buildUser(server), await buildUser(server)]
  const folder = await buildFolder(owner)
  const share = await buildShare(owner, folder, guest, 'edit')
  const metadata = { parent_id: folder.id }
  const address = await beginUpload(guest, { length: bytes.length, metadata, body: bytes.subarray(0, 1000) })
  const expiry = async () => (await guest.call(listUploads, {})).uploads[0]?.expires_at
  const first = await expiry()
  await patch(guest, address, 1000, bytes.subarray(1000, 2000))
  const renewed = await expiry()
  expect(Date.parse(renewed ?? '')).toBeGreaterThan(Date.parse(first ?? ''))
  await owner.call(deleteShare, { id: share.id })
  expect((await patch(guest, address, 2000, bytes.subarray(2000, 3000))).status).toBe(204)
  expect(await expiry()).toBe(renewed)
})
