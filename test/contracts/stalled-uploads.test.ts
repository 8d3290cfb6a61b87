/** Uploads into an object store that stop before a part is full: they hold a limited memory, and the bytes are right. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BlobStore } from '../../src/blobs/blob-store.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { openS3Store } from '../../src/blobs/s3/s3.ts'
import { type S3Server, s3Credentials, startS3Server } from '../support/s3-server.ts'
import { bytesOf, chunks, readAll } from './stores.ts'

const megabyte = 1024 ** 2
/** Just less than a part. */
const most = 7 * megabyte
const bytes = bytesOf(most)

let folder: string
let server: S3Server
let store: BlobStore
const place = () => ({ address: server.address, credentials: s3Credentials, largest: 1e9, temporary: folder })
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestore-parts-'))
  server = await startS3Server()
  store = await openS3Store(place())
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Bytes of buffers that something still holds. */
function readHeld(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

/** Sources that stop when all bytes have been asked for, until a test lets them end. */
function openStalled() {
  let stalled = 0
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  async function* source(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    stalled += 1
    await released
  }
  return { source, stalled: () => stalled, release }
}

const nothing = { state: null, onDurable: async () => undefined }
const inOneRequest = (key: string, source: AsyncIterable<Buffer>) => store.put(key, source)
const inSeveral = async (key: string, source: AsyncIterable<Buffer>) =>
  store.seal(key, await store.append(key, 0, source, nothing))

test('twenty stalled uploads, in one request or in several, hold at most 100 MB, and others go on', async () => {
  const before = readHeld()
  const { source, stalled, release } = openStalled()
  const keys = Array.from({ length: 20 }, newBlobKey)
  const sent = Promise.all(keys.map((key, index) => (index % 2 === 0 ? inOneRequest : inSeveral)(key, source())))
  await expect.poll(stalled).toBe(keys.length)
  expect(readHeld() - before).toBeLessThan(100 * megabyte)
  expect(await readdir(folder)).toEqual([])

  for (const send of [inOneRequest, inSeveral]) {
    const other = newBlobKey()
    await send(other, chunks(bytes, bytes))
    expect((await readAll(store, other)).equals(Buffer.concat([bytes, bytes]))).toBe(true)
  }

  release()
  await sent
  for (const key of keys) expect((await readAll(store, key)).equals(bytes)).toBe(true)
})

test('uploads that fail give their memory back', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield bytes
    throw new Error('the source broke')
  }
  store = await openS3Store({ ...place(), memory: 32 * megabyte })
  for (let round = 0; round < 5; round++) {
    await expect(store.put(newBlobKey(), broken())).rejects.toThrow('the source broke')
  }
  server.decide = name => (name.startsWith('PUT') ? { status: 403 } : 'serve')
  for (let round = 0; round < 2; round++) {
    await expect(store.put(newBlobKey(), chunks(bytes, bytes, bytes))).rejects.toThrow()
  }
  server.decide = () => 'serve'
  // With the memory used up, these would be in a file, whose folder would be there.
  await rm(folder, { recursive: true })
  await store.put(newBlobKey(), chunks(bytes, bytes))
  await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' })
})
