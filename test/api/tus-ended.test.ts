/** Uploads that end while somebody still works on them: what has become a file stays, and nothing is held free for good. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
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
  server = await startServer({ maxFileSize: '100MB' })
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

test('a long piece with a checksum puts off the end of its upload before it counts', async () => {
  const user = await buildUser(server)
  const long = randomBytes(65 * 1024 ** 2)
  const address = await beginUpload(user, { length: long.length + 1 })
  const expiry = async () => {
    const row = await server.deps.db.row<{ expires_at: number }>('SELECT expires_at FROM uploads WHERE id = $1', [
      idOf(address),
    ])
    return row?.expires_at ?? 0
  }
  expect(await expiry()).toBeLessThan(Date.now() + 2 * hour)
  const checksum = `sha256 ${createHash('sha256').update(long).digest('base64')}`
  const sending = request(`${server.url}${address}`, {
    method: 'PATCH',
    headers: {
      ...user.headers,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': long.length,
      'upload-checksum': checksum,
    },
  })
  sending.on('error', () => undefined).write(long.subarray(0, -1))
  await expect.poll(expiry).toBeGreaterThan(Date.now() + 71 * hour)
  sending.end(long.subarray(-1))
  const [answer] = await once(sending, 'response')
  expect(answer.statusCode).toBe(204)
})
