/** An object store replaces bytes by equal ones with few requests, and copies only what may have become wrong. */
import { tmpdir } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day } from '../../src/base/clock.ts'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { openS3Store } from '../../src/blobs/s3/s3.ts'
import { type S3Server, s3Credentials, startS3Server } from '../support/s3-server.ts'
import { chunks } from './stores.ts'

let server: S3Server
let store: BlobStore

beforeAll(async () => {
  server = await startS3Server()
  store = await openS3Store({
    address: server.address,
    credentials: s3Credentials,
    largest: 1e9,
    temporary: tmpdir(),
  })
})
afterAll(() => server.close())

const find = (key: string) => server.objects.get(`here/b/${key}`) ?? expect.fail()

/** Two keys with equal bytes; the first one's were written some time ago. */
async function putTwice(bytes: Buffer, age = 0): Promise<[key: string, by: string]> {
  const [key, by] = [newBlobKey(), newBlobKey()]
  await store.put(key, chunks(bytes))
  await store.put(by, chunks(bytes))
  find(key).modifiedAt -= age
  return [key, by]
}

/** The methods of the requests by which one key's bytes replace the other's. */
async function replace(key: string, by: string): Promise<string[]> {
  server.requests.length = 0
  await store.replace(key, by)
  expect(server.objects.has(`here/b/${by}`)).toBe(false)
  return server.requests.map(name => name.split(' ')[0] ?? '')
}

test.each([
  ['one request', Buffer.alloc(100_000, 'a')],
  ['parts', Buffer.alloc(20 * 1024 ** 2, 'b')],
])('what was written by %s within a week is not copied, but found equal by two requests', async (_how, bytes) => {
  const [key, by] = await putTwice(bytes, 6 * day)
  const writtenAt = find(key).modifiedAt
  expect(await replace(key, by)).toEqual(['HEAD', 'HEAD', 'DELETE'])
  expect(find(key).modifiedAt).toBe(writtenAt)
  expect((await buffer(await store.read(key))).equals(bytes)).toBe(true)
})

test('what was written earlier is copied once, and then counts as new', async () => {
  const bytes = Buffer.alloc(100_000, 'c')
  const [key, by] = await putTwice(bytes, 8 * day)
  expect(await replace(key, by)).toEqual(['HEAD', 'HEAD', 'PUT', 'HEAD', 'DELETE'])
  const again = newBlobKey()
  await store.put(again, chunks(bytes))
  expect(await replace(key, again)).toEqual(['HEAD', 'HEAD', 'DELETE'])
})

test.each<[string, (bytes: Buffer) => Buffer | undefined]>([
  ['has other bytes', bytes => Buffer.alloc(bytes.length)],
  ['has fewer bytes', bytes => bytes.subarray(1)],
  ['is missing', () => undefined],
])('what %s is replaced, however new it is', async (_how, spoil) => {
  const bytes = Buffer.alloc(50_000, 'd')
  const [key, by] = await putTwice(bytes)
  const spoilt = spoil(bytes)
  if (spoilt === undefined) await store.remove(key)
  else server.objects.set(`here/b/${key}`, { bytes: spoilt, modifiedAt: Date.now() })
  expect(await replace(key, by)).toContain('PUT')
  expect((await buffer(await store.read(key))).equals(bytes)).toBe(true)
})

test('bytes are also replaced where the store tells neither ETag nor time', async () => {
  const [key, by] = await putTwice(Buffer.alloc(50_000, 'e'))
  server.decide = name =>
    name.startsWith('HEAD')
      ? { lie: response => void response.writeHead(200, { 'content-length': 50_000 }).end() }
      : 'serve'
  expect(await replace(key, by)).toContain('PUT')
  server.decide = () => 'serve'
})
