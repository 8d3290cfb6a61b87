/** What the extensions of tus 1.0 do: expiration, checksum and termination. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listUploads } from '../../src/api/tus.ts'
import { failure } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { askUpload, beginUpload, discard, fileOf, head, idOf, offsetOf, patch } from '../support/tus.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer({ maxFileSize: '1GB' })
  user = await buildUser(server)
})
afterAll(() => server.close())

const bytes = randomBytes(300_000)
const sha = (algorithm: string, of: Buffer) => createHash(algorithm).update(of).digest('base64')
const begin = (length = bytes.length, metadata: Record<string, unknown> = {}) =>
  beginUpload(user, { length, metadata: { name: `${randomBytes(4).toString('hex')}.bin`, ...metadata } })

describe('the other extensions', () => {
  test('tell until when an upload is kept: an hour without a byte, and three days with the first one', async () => {
    const address = await begin()
    const hours = (response: Response) =>
      (Date.parse(response.headers.get('upload-expires') ?? '') - Date.now()) / 3_600_000
    for (const [most, response] of [
      [1, await head(user, address)],
      [72, await patch(user, address, 0, bytes.subarray(0, 1))],
    ] as const) {
      expect(hours(response)).toBeGreaterThan(most - 0.1)
      expect(hours(response)).toBeLessThanOrEqual(most)
      expect(response.headers.get('upload-expires')).toMatch(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/)
    }
  })

  test.each(['sha1', 'sha256'])('compare bytes with their %s, and keep none that differ', async algorithm => {
    const address = await begin()
    const [first, rest] = [bytes.subarray(0, 90_000), bytes.subarray(90_000)]
    const checksum = (of: Buffer) => ({ 'upload-checksum': `${algorithm} ${sha(algorithm, of)}` })
    expect((await patch(user, address, 0, first, checksum(first))).status).toBe(204)
    const wrong = await patch(user, address, 90_000, rest, checksum(first))
    expect(await failure(wrong)).toMatchObject({ status: 460, error: 'checksum_mismatch' })
    expect(offsetOf(await head(user, address))).toBe('90000')
    const right = await patch(user, address, 90_000, rest, checksum(rest))
    expect((await fileOf(user, right)).equals(bytes)).toBe(true)
  })

  test.each(['md5 1B2M2Y8AsgTpgAmY7PhCfg==', 'sha1 AAAA', 'sha256', 'sha1  '])(
    'refuse the checksum "%s"',
    async checksum => {
      const address = await begin()
      const response = await patch(user, address, 0, bytes, { 'upload-checksum': checksum })
      expect(await failure(response)).toMatchObject({ status: 400, error: 'invalid_input' })
      expect(offsetOf(await head(user, address))).toBe('0')
    },
  )

  test('compare first bytes that come along, and leave nothing of others', async () => {
    const before = (await user.call(listUploads, {})).uploads.length
    const headers = { 'upload-checksum': `sha1 ${sha('sha1', Buffer.from('other'))}` }
    expect((await askUpload(user, { length: 300_000, body: bytes, headers })).status).toBe(460)
    expect((await user.call(listUploads, {})).uploads.length).toBe(before)
  })

  test('end an upload, which is then gone', async () => {
    const address = await begin()
    await patch(user, address, 0, bytes.subarray(0, 100_000))
    expect((await discard(user, address)).status).toBe(204)
    for (const response of [
      await head(user, address),
      await patch(user, address, 100_000, bytes),
      await discard(user, address),
    ]) {
      expect(response.status).toBe(404)
    }
  })

  test('forget an upload that has become a file, and leave the file', async () => {
    const address = await begin()
    const last = await patch(user, address, 0, bytes)
    expect((await discard(user, address)).status).toBe(204)
    expect((await head(user, address)).status).toBe(404)
    expect((await fileOf(user, last)).equals(bytes)).toBe(true)
  })
})

test('unfinished uploads are listed with their folders, the newest first', async () => {
  const lister = await buildUser(server)
  const folder = await buildFolder(lister, 'Videos')
  await beginUpload(lister, { length: 10, metadata: { name: 'one.bin' } })
  const metadata = { name: 'two.bin', parent_id: folder.id, modified_at: '2024-05-06T07:08:09Z' }
  const address = await beginUpload(lister, { length: 20, metadata, body: Buffer.from('first') })
  const { uploads } = await lister.call(listUploads, {})
  expect(uploads.map(({ name, path }) => [name, path])).toEqual(
    expect.arrayContaining([
      ['one.bin', '/'],
      ['two.bin', '/Videos'],
    ]),
  )
  expect(uploads.find(({ name }) => name === 'two.bin')).toMatchObject({
    ...{ id: idOf(address), parent_id: folder.id, length: 20, received: 5, state: 'open', error: null },
    modified_at: metadata.modified_at,
  })
})

test('all counters are right after all this', async () => {
  expect(await findMiscounts(server.deps.db)).toEqual([])
})
