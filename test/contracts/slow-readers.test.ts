/** Reading from an object store: a connection to it is held by who takes the bytes, not by who leaves them. */
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openS3Client } from '../../src/blobs/s3/client.ts'
import { readObject } from '../../src/blobs/s3/read.ts'
import { type S3Server, s3Credentials, startS3Server } from '../support/s3-server.ts'

const megabyte = 1024 ** 2
const big = Buffer.from(Uint32Array.from({ length: 3 * megabyte }, (_, index) => index * 2_654_435_761).buffer)

/** A clock that a test moves on. */
function openTime() {
  let now = 0
  const due = new Map<() => void, number>()
  return {
    due,
    now: () => now,
    after: (ms: number, call: () => void) => {
      const run = () => call()
      due.set(run, now + ms)
      return () => void due.delete(run)
    },
    pass: (ms: number) => {
      now += ms
      for (const [run, at] of [...due]) {
        if (at > now) continue
        due.delete(run)
        run()
      }
    },
  }
}

let server: S3Server
let time: ReturnType<typeof openTime>
beforeAll(async () => {
  server = await startS3Server()
  server.objects.set('here/big', { bytes: big, modifiedAt: Date.now() })
})
afterAll(() => server.close())
beforeEach(() => {
  server.decide = () => 'serve'
  server.requests.length = 0
  time = openTime()
})

const open = (range?: { start: number; end: number }) =>
  readObject(openS3Client(server.address, s3Credentials), 'big', range, { time })

/** Reads `size` bytes, and lets `pause` ms pass after each chunk, when the next one has come. */
async function readAt(stream: Readable, size: number, pause: (size: number) => number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let left = size
  for await (const chunk of stream) {
    chunks.push(chunk)
    left -= chunk.length
    while (stream.readableLength === 0 && left > 0) await setImmediate()
    time.pass(pause(chunk.length))
  }
  return Buffer.concat(chunks)
}

test('who keeps pace gets all of one request', async () => {
  const bytes = await readAt(await open(), big.length, size => size / 2_000)
  expect(bytes.equals(big)).toBe(true)
  expect(server.requests).toHaveLength(1)
})

test('who begins to read later than a second holds no connection until then', async () => {
  const stream = await open()
  expect(server.openAnswers()).toBe(1)
  time.pass(1_000)
  await expect.poll(() => server.openAnswers()).toBe(0)
  expect((await buffer(stream)).equals(big)).toBe(true)
})

test('who is slow gets the right bytes, and holds no connection between them', async () => {
  let longest = 0
  const stream = await open({ start: 5, end: 5 * megabyte })
  const bytes = await readAt(stream, 5 * megabyte - 4, size => {
    longest = Math.max(longest, size)
    return size / 500
  })
  expect(bytes.equals(big.subarray(5, 5 * megabyte + 1))).toBe(true)
  expect(server.requests.length).toBeGreaterThan(10)
  expect(longest).toBeLessThanOrEqual(512 * 1024)
  await expect.poll(() => server.openAnswers()).toBe(0)
})

test('who keeps pace again is sent the rest as one', async () => {
  let read = 0
  const stream = await open()
  const bytes = await readAt(stream, big.length, size => {
    read += size
    return read < megabyte ? size / 100 : 0
  })
  expect(bytes.equals(big)).toBe(true)
  expect(server.requests.length).toBeGreaterThan(2)
  expect(server.requests.length).toBeLessThan(20)
})

test('who is slow goes on where the store breaks, and not with another object', async () => {
  const stream = await open()
  time.pass(1_000)
  let left = 2
  server.decide = () => {
    left -= 1
    return left >= 0 ? 'break midway' : 'serve'
  }
  expect((await buffer(stream)).equals(big)).toBe(true)

  const other = await open()
  time.pass(1_000)
  server.objects.set('here/big', { bytes: Buffer.alloc(big.length), modifiedAt: Date.now() })
  await expect(buffer(other)).rejects.toThrow()
  server.objects.set('here/big', { bytes: big, modifiedAt: Date.now() })
})

test('who goes leaves neither a connection nor a timer', async () => {
  const [unread, begun, slow] = [await open(), await open(), await open()]
  await begun[Symbol.asyncIterator]().next()
  time.pass(500)
  await slow[Symbol.asyncIterator]().next()
  time.pass(600)
  for (const stream of [unread, begun, slow]) stream.destroy()
  await expect.poll(() => server.openAnswers()).toBe(0)
  expect(time.due.size).toBe(0)
  await buffer(await open())
  expect(time.due.size).toBe(0)
})
