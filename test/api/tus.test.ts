/** What tus 1.0 demands of a server, one by one, and the creation of uploads. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import { listUploads } from '../../src/api/tus.ts'
import { failure, openClient } from '../support/client.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import {
  askUpload,
  beginUpload,
  bytesType,
  discard,
  fileOf,
  head,
  idOf,
  metadataOf,
  nobodysId,
  offsetOf,
  patch,
  version,
} from '../support/tus.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer({ maxFileSize: '1GB' })
  user = await buildUser(server)
})
afterAll(() => server.close())

const bytes = randomBytes(300_000)
const begin = (length = bytes.length, metadata: Record<string, unknown> = {}) =>
  beginUpload(user, { length, metadata: { name: `${randomBytes(4).toString('hex')}.bin`, ...metadata } })

describe('the core protocol', () => {
  test('tells what the server can do, to everybody and without the version header', async () => {
    const response = await openClient(server.url).raw('/api/uploads', { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,expiration,checksum,termination',
      'tus-checksum-algorithm': 'sha1,sha256',
      'tus-max-size': String(1024 ** 3),
    })
  })

  test.each([
    ['POST', '/api/uploads'],
    ['HEAD', `/api/uploads/${nobodysId}`],
    ['PATCH', `/api/uploads/${nobodysId}`],
    ['DELETE', `/api/uploads/${nobodysId}`],
  ])('refuses %s in another version with 412, and names its own', async (method, path) => {
    for (const headers of [undefined, { 'tus-resumable': '0.2.2' }]) {
      const response = await user.raw(path, { method, headers })
      expect(response.status).toBe(412)
      expect(response.headers.get('tus-version')).toBe('1.0.0')
      expect(response.headers.get('tus-resumable')).toBe('1.0.0')
    }
  })

  test('answers every request with its version', async () => {
    const address = await begin()
    for (const response of [
      await head(user, address),
      await patch(user, address, 0, bytes.subarray(0, 10)),
      await patch(user, address, 7, bytes),
      await discard(user, address),
      await head(user, address),
      await openClient(server.url).raw('/api/uploads', { method: 'POST', headers: version }),
    ]) {
      expect(response.headers.get('tus-resumable')).toBe('1.0.0')
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  })

  test('takes bytes where the upload ends, tells the new offset, and the last byte makes the file', async () => {
    const name = 'in pieces.bin'
    const address = await begin(bytes.length, { name, modified_at: '2024-05-06T07:08:09Z' })
    expect(address).toMatch(/^\/api\/uploads\/[0-9a-f]{32}$/)
    expect(offsetOf(await head(user, address))).toBe('0')
    const first = await patch(user, address, 0, bytes.subarray(0, 100_001))
    expect([first.status, offsetOf(first), first.headers.get('content-location')]).toEqual([204, '100001', null])
    const middle = await head(user, address)
    expect([middle.status, offsetOf(middle), middle.headers.get('upload-length')]).toEqual([200, '100001', '300000'])
    const last = await patch(user, address, 100_001, bytes.subarray(100_001))
    expect([last.status, offsetOf(last)]).toEqual([204, '300000'])
    expect((await fileOf(user, last)).equals(bytes)).toBe(true)
    const id = Number(idOf(last.headers.get('content-location') ?? ''))
    expect((await user.call(getFile, { id })).file).toMatchObject({ name, modified_at: '2024-05-06T07:08:09.000Z' })
  })

  test('tells of an upload that has become a file that it has all bytes', async () => {
    const address = await begin()
    const last = await patch(user, address, 0, bytes)
    const after = await head(user, address)
    expect([after.status, offsetOf(after)]).toEqual([200, '300000'])
    expect(after.headers.get('content-location')).toBe(last.headers.get('content-location'))
    const again = await patch(user, address, bytes.length, Buffer.alloc(0))
    expect([again.status, again.headers.get('content-location')]).toEqual([204, last.headers.get('content-location')])
  })

  test('refuses another offset with 409, and changes nothing', async () => {
    const address = await begin()
    await patch(user, address, 0, bytes.subarray(0, 1000))
    for (const offset of [0, 999, 1001, 300_000]) {
      const response = await patch(user, address, offset, bytes.subarray(1000))
      expect(await failure(response)).toMatchObject({ status: 409, error: 'offset_mismatch' })
    }
    expect(offsetOf(await head(user, address))).toBe('1000')
  })

  test.each(['', 'text/plain', 'application/octet-stream'])('refuses bytes sent as "%s" with 415', async type => {
    const address = await begin()
    const response = await patch(user, address, 0, bytes, { 'content-type': type })
    expect(await failure(response)).toMatchObject({ status: 415, error: 'unsupported_media' })
    expect(offsetOf(await head(user, address))).toBe('0')
  })

  test.each(['', '-1', '1.5', '0x1', 'one', '9007199254740993'])('refuses the offset "%s" with 400', async offset => {
    const address = await begin()
    const response = await patch(user, address, 0, bytes, { 'upload-offset': offset })
    expect(await failure(response)).toMatchObject({ status: 400, error: 'invalid_input' })
  })

  test('answers 404 for an upload that is not there', async () => {
    const address = `/api/uploads/${nobodysId}`
    expect((await head(user, address)).status).toBe(404)
    expect((await patch(user, address, 0, bytes)).status).toBe(404)
    expect((await discard(user, address)).status).toBe(404)
  })

  test.each(['1', 'A'.repeat(32), '..%2f..%2fetc'])('answers 400 for %s, which is no id of an upload', async id => {
    const address = `/api/uploads/${id}`
    expect((await head(user, address)).status).toBe(400)
    expect((await patch(user, address, 0, bytes)).status).toBe(400)
    expect((await discard(user, address)).status).toBe(400)
  })

  test('does not let HEAD fall to a route of GET, nor the other way round', async () => {
    const address = await begin()
    expect((await user.raw(address)).status).toBe(405)
    expect((await user.raw(address)).headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'HEAD', 'PATCH'])
    expect((await user.raw('/api/uploads', { method: 'HEAD' })).status).toBe(200)
  })

  test('does not heed X-HTTP-Method-Override, and sends no header of CORS', async () => {
    const address = await begin()
    const headers = { ...version, ...bytesType, 'upload-offset': '0', 'x-http-method-override': 'PATCH' }
    expect((await user.raw(address, { method: 'POST', headers, body: bytes })).status).toBe(405)
    for (const response of [await head(user, address), await user.raw('/api/uploads', { method: 'OPTIONS' })]) {
      expect([...response.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
    }
  })
})

describe('creation', () => {
  test.each(['', '-1', 'many', '1.0'])('refuses the length "%s" with 400', async length => {
    const response = await askUpload(user, { length: 0, headers: { 'upload-length': length } })
    expect(await failure(response)).toMatchObject({ status: 400, error: 'invalid_input' })
  })

  test('refuses a length above the largest with 413', async () => {
    const response = await askUpload(user, { length: 1024 ** 3 + 1 })
    expect(await failure(response)).toMatchObject({ status: 413, error: 'file_too_large' })
  })

  test.each([
    ['an unknown key', metadataOf({ name: 'a', colour: 'red' })],
    ['a key twice', `${metadataOf({ name: 'a' })},${metadataOf({ name: 'b' })}`],
    ['no name', metadataOf({ parent_id: '' })],
    ['a bad name', metadataOf({ name: 'a/b' })],
    ['an empty key', ' YQ=='],
    ['no Base64', 'name §§'],
    ['no UTF-8', 'name /w=='],
    ['a folder that is none', metadataOf({ name: 'a', parent_id: 'x' })],
  ])('refuses metadata with %s', async (_what, metadata) => {
    const response = await askUpload(user, { length: 1, headers: { 'upload-metadata': metadata } })
    expect(await failure(response)).toMatchObject({ status: 400, error: 'invalid_input' })
  })

  test('refuses metadata above 8 KB with 413', async () => {
    const metadata = metadataOf({ name: 'a', type: 'x'.repeat(7000) })
    const response = await askUpload(user, { length: 1, headers: { 'upload-metadata': metadata } })
    expect(await failure(response)).toMatchObject({ status: 413, error: 'body_too_large' })
  })

  test('gives the metadata back as it was sent, and takes what other clients send', async () => {
    const metadata = `filename ${Buffer.from('Übung.txt').toString('base64')},filetype dGV4dC9wbGFpbg==,relativePath,type`
    const response = await askUpload(user, { length: 3, headers: { 'upload-metadata': metadata } })
    const address = response.headers.get('location') ?? ''
    expect((await head(user, address)).headers.get('upload-metadata')).toBe(metadata)
    const done = await patch(user, address, 0, Buffer.from('abc'))
    const id = Number(idOf(done.headers.get('content-location') ?? ''))
    expect((await user.call(getFile, { id })).file).toMatchObject({ name: 'Übung.txt', mime_type: 'text/plain' })
  })

  test('makes an empty file at once, unless it waits to be told so', async () => {
    const made = await askUpload(user, { length: 0 })
    expect(made.status).toBe(201)
    expect((await fileOf(user, made)).length).toBe(0)
    const waiting = await askUpload(user, { length: 0, metadata: { finish: 'explicit' } })
    expect(waiting.headers.get('content-location')).toBeNull()
    expect((await discard(user, waiting.headers.get('location') ?? '')).status).toBe(204)
  })

  test('takes the first bytes along, and all of them', async () => {
    const some = await askUpload(user, { length: bytes.length, body: bytes.subarray(0, 5000) })
    expect([some.status, offsetOf(some)]).toEqual([201, '5000'])
    const rest = await patch(user, some.headers.get('location') ?? '', 5000, bytes.subarray(5000))
    expect((await fileOf(user, rest)).equals(bytes)).toBe(true)
    const all = await askUpload(user, { length: bytes.length, body: bytes })
    expect([all.status, offsetOf(all)]).toEqual([201, '300000'])
    expect((await fileOf(user, all)).equals(bytes)).toBe(true)
  })

  test('refuses first bytes of another type, or beyond the length, and leaves nothing', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect((await askUpload(user, { length: 5, body: Buffer.from('bytes'), headers })).status).toBe(415)
    expect((await askUpload(user, { length: 5, body: Buffer.from('too many') })).status).toBe(413)
    expect((await user.call(listUploads, {})).uploads.filter(({ length }) => length === 5)).toEqual([])
  })
})
