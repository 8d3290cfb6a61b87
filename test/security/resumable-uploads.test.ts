/** Resumable uploads in the hands of others, with lengths that lie, broken lines, and several writers at once. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteApiKey } from '../../src/api/keys.ts'
import { finishUpload, listUploads } from '../../src/api/tus.ts'
import { failure, openClient, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildKey, buildUser } from '../support/factories.ts'
import { onlyInFolder } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { beginUpload, bytesType, discard, head, idOf, patch, version } from '../support/tus.ts'
import { sendWire } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
let other: BuiltUser
beforeAll(async () => {
  server = await startServer({ maxFileSize: '1GB' })
  user = await buildUser(server)
  other = await buildUser(server)
})
afterAll(() => server.close())

const bytes = randomBytes(2_000_000)
const begin = (length = bytes.length, body?: Buffer) => beginUpload(user, { length, body })
const offsetOf = async (address: string) => Number((await head(user, address)).headers.get('upload-offset'))

/** What is durable, without ending the request that sends it. */
async function storedOf(address: string): Promise<number> {
  const { uploads } = await user.call(listUploads, {})
  return uploads.find(({ id }) => id === idOf(address))?.received ?? -1
}

const contentOf = async (response: Response): Promise<Buffer> => {
  const file = await user.raw(`${response.headers.get('content-location')}/download`)
  return Buffer.from(await file.arrayBuffer())
}

const headersAt = (client: TestClient, offset: number) => ({
  ...client.headers,
  ...version,
  ...bytesType,
  'upload-offset': String(offset),
})

/** Sends bytes on a connection that stays open until it is ended or cut. */
function sendSlowly(client: TestClient, address: string, offset: number, first: Buffer) {
  const sent = request(server.url + address, { method: 'PATCH', headers: headersAt(client, offset), agent: false })
  const status = new Promise<number | null>(resolve => {
    sent.on('response', response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', () => resolve(null))
  })
  sent.write(first)
  return { status, end: (rest: Buffer) => sent.end(rest), cut: () => sent.destroy() }
}

/** The bytes that the store has of an upload, durable or not. */
async function writtenOf(address: string): Promise<number | null> {
  const { db, store } = server.deps
  const row = await db.row<{ blob_key: string }>('SELECT blob_key FROM uploads WHERE id = $1', [idOf(address)])
  return store.size(row?.blob_key ?? '0'.repeat(64))
}

describe("another user's upload", () => {
  test('does not exist, by any call', async () => {
    const address = await begin(bytes.length, bytes.subarray(0, 1000))
    const key = await buildKey(server, other, ['files:upload', 'files:read', 'files:write'])
    for (const client of [other, key]) {
      expect((await head(client, address)).status).toBe(404)
      expect((await patch(client, address, 1000, bytes.subarray(1000))).status).toBe(404)
      expect((await discard(client, address)).status).toBe(404)
      await expect(client.call(finishUpload, { id: idOf(address) })).rejects.toMatchObject({ status: 404 })
      expect((await client.call(listUploads, {})).uploads).toEqual([])
    }
    expect(await offsetOf(address)).toBe(1000)
  })

  test('is not ended by who asks for it', async () => {
    const address = await begin()
    const slow = sendSlowly(user, address, 0, bytes.subarray(0, 1_500_000))
    expect((await head(other, address)).status).toBe(404)
    expect((await patch(other, address, 0, bytes)).status).toBe(404)
    slow.end(bytes.subarray(1_500_000))
    expect(await slow.status).toBe(204)
  })
})

test('an id is looked up, and never a path', async () => {
  for (const id of ['..%2f..%2f..%2fetc%2fpasswd', '..', '.', '%00', 'a'.repeat(32), `${'0'.repeat(31)}/`, '%2e%2e']) {
    const answer = await sendWire(server.url, {
      method: 'PATCH',
      path: `/api/uploads/${id}`,
      headers: headersAt(user, 0),
      body: 'bytes',
    })
    expect([id, answer.status]).toEqual([id, [400, 405].includes(answer.status) ? answer.status : 404])
  }
})

test.each<Record<string, string>>([
  { host: 'evil.example' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
])('an address names no host, whatever the request says (%j)', async spoofed => {
  const key = await buildKey(server, user, ['files:upload'])
  const { host, location } = (
    await sendWire(server.url, {
      method: 'POST',
      path: '/api/uploads',
      headers: { ...key.headers, ...version, 'upload-length': '1', 'upload-metadata': 'name YQ==', ...spoofed },
    })
  ).headers
  expect(host).toBeUndefined()
  expect(location).toMatch(/^\/api\/uploads\/[0-9a-f]{32}$/)
})

describe('a length that lies', () => {
  test('is refused before the bytes if it is announced', async () => {
    const address = await begin(1000)
    expect(await failure(await patch(user, address, 0, Buffer.alloc(1001)))).toMatchObject({
      ...{ status: 413, error: 'file_too_large' },
    })
    expect(await offsetOf(address)).toBe(0)
  })

  test('takes nothing of a body without end that goes beyond it', async () => {
    const address = await begin(1_000_000, bytes.subarray(0, 5000))
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield bytes.subarray(0, 100_000)
    }
    const answer = await sendWire(server.url, {
      method: 'PATCH',
      path: address,
      headers: headersAt(user, 5000),
      body: endless(),
    })
    expect(answer.status).toBe(413)
    expect(await offsetOf(address)).toBe(5000)
    const rest = bytes.subarray(5000, 1_000_000)
    expect((await contentOf(await patch(user, address, 5000, rest))).equals(bytes.subarray(0, 1_000_000))).toBe(true)
  })
})

describe('a broken line', () => {
  test('leaves what came before, and the rest follows', async context => {
    onlyInFolder(context)
    const address = await begin()
    const slow = sendSlowly(user, address, 0, bytes.subarray(0, 1_234_567))
    await expect.poll(() => writtenOf(address)).toBeGreaterThan(0)
    slow.cut()
    await expect.poll(() => storedOf(address)).toBeGreaterThan(0)
    const offset = await offsetOf(address)
    expect(offset).toBeLessThanOrEqual(1_234_567)
    const last = await patch(user, address, offset, bytes.subarray(offset))
    expect((await contentOf(last)).equals(bytes)).toBe(true)
  })

  test('that seems open is ended by the next request, and its bytes count', async context => {
    onlyInFolder(context)
    const address = await begin()
    const slow = sendSlowly(user, address, 0, bytes.subarray(0, 700_000))
    await expect.poll(() => writtenOf(address)).not.toBeNull()
    const offset = await offsetOf(address)
    expect(await slow.status).toBe(423)
    const last = await patch(user, address, offset, bytes.subarray(offset))
    expect((await contentOf(last)).equals(bytes)).toBe(true)
  })
})

test('of several writers at once each goes on where the others have come to, and the file is whole', async () => {
  const small = bytes.subarray(0, 600_000)
  const address = await begin(small.length)
  const write = async () => {
    for (let offset = 0; offset < small.length; ) {
      const end = offset + 100_000
      // An answer may be cut off by the next request of another writer.
      await patch(user, address, offset, small.subarray(offset, end)).catch(() => undefined)
      offset = await offsetOf(address)
    }
  }
  await Promise.all(Array.from({ length: 3 }, write))
  expect((await contentOf(await head(user, address))).equals(small)).toBe(true)
})

test('who finishes many times at once gets one file', async () => {
  const address = await beginUpload(user, { length: 5, metadata: { finish: 'explicit' }, body: Buffer.from('bytes') })
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => (await user.call(finishUpload, { id: idOf(address) })).file.id),
  )
  expect(new Set(ids).size).toBe(1)
})

test('a key that is deleted while its bytes come makes no file of them', async context => {
  onlyInFolder(context)
  const key = await buildKey(server, user, ['files:upload'])
  const address = await beginUpload(key, { length: bytes.length })
  const slow = sendSlowly(key, address, 0, bytes.subarray(0, -1))
  await expect.poll(() => writtenOf(address)).not.toBeNull()
  await user.call(deleteApiKey, { id: key.id })
  slow.end(bytes.subarray(-1))
  expect(await slow.status).toBe(401)
  expect(await storedOf(address)).toBeLessThan(bytes.length)
  expect((await head(openClient(server.url, key.headers), address)).status).toBe(401)
})

test('all counters are right after all this', async () => {
  expect(await findMiscounts(server.deps.db)).toEqual([])
})
