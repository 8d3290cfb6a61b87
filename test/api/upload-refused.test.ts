/** An upload that is refused is answered while its body is still coming, to every kind of client. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { type Holdings, readHoldings } from '../support/holdings.ts'
import { fileStart, multipartType, openParts, type Part } from '../support/multipart.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { sendWire } from '../support/wire.ts'

const megabyte = 1024 ** 2

let server: TestServer
let user: BuiltUser
let before: Holdings
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server, { storageQuota: 64 * megabyte })
  await buildFile(user, { name: 'taken.bin' })
  before = await readHoldings(server)
})
afterAll(() => server.close())

/** A body that never ends: after `burst` bytes of the file a piece at a time, for as long as anybody reads it. */
async function* endless(start: Buffer, burst: number): AsyncGenerator<Buffer> {
  yield start
  const piece = Buffer.alloc(64 * 1024, 'e')
  for (let sent = 0; ; sent += piece.length) {
    if (sent >= burst) await new Promise<void>(resolve => setImmediate(resolve))
    yield piece
  }
}

/** Sends without a Content-Length and never stops; gives back the answer and how long it took (ms). */
async function sendEndless(fields: Part[], start = fileStart('endless.bin'), client = user, burst = megabyte) {
  const began = performance.now()
  const answer = await sendWire(server.url, {
    method: 'POST',
    path: '/api/files/upload',
    headers: { ...client.headers, 'content-type': multipartType },
    body: endless(Buffer.concat([openParts(fields), start]), burst),
  })
  return { status: answer.status, ...JSON.parse(answer.text), took: performance.now() - began }
}

/** A second, and as much again for the noise of a busy machine. */
const promptly = 2000

describe('an endless upload', () => {
  test('is cut off at the limit of a file', async () => {
    const answer = await sendEndless([], fileStart('big.bin'), user, 33 * megabyte)
    expect(answer).toMatchObject({ status: 413, error: 'file_too_large', message: 'File is larger than 32MB' })
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test.each<[string, Part[], number, string]>([
    ['an unknown folder', [{ name: 'parent_id', value: '999999' }], 404, 'not_found'],
    ['a bad folder', [{ name: 'parent_id', value: 'x' }], 400, 'invalid_input'],
    ['a bad name', [{ name: 'name', value: 'a/b' }], 400, 'invalid_input'],
    ['an unknown field', [{ name: 'colour', value: 'red' }], 400, 'invalid_input'],
    [
      'a taken name',
      [
        { name: 'parent_id', value: '' },
        { name: 'name', value: 'taken.bin' },
        { name: 'on_conflict', value: 'fail' },
      ],
      409,
      'name_taken',
    ],
    ['too many fields', Array.from({ length: 9 }, (_, n) => ({ name: `f${n}`, value: 'x' })), 400, 'invalid_input'],
    ['a field that is too large', [{ name: 'name', value: 'x'.repeat(70_000) }], 400, 'invalid_input'],
    ['a second file', [{ name: 'file', fileName: 'first.bin', value: 'x'.repeat(50_000) }], 400, 'invalid_input'],
  ])('with %s is refused in its first megabyte, at once', async (_what, fields, status, error) => {
    const answer = await sendEndless(fields)
    expect(answer).toMatchObject({ status, error, success: false })
    expect(answer.took).toBeLessThan(promptly)
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test('under another name than file is refused at once', async () => {
    const start = Buffer.from(fileStart('x.bin').toString().replace('name="file"', 'name="document"'))
    const answer = await sendEndless([], start)
    expect(answer).toMatchObject({ status: 400, error: 'invalid_input' })
    expect(answer.took).toBeLessThan(promptly)
  })

  test('of a user without room is refused when the room is used up', async () => {
    const poor = await buildUser(server, { storageQuota: 100_000 })
    const answer = await sendEndless([], fileStart('x.bin'), poor)
    expect(answer).toMatchObject({ status: 413, error: 'quota_exceeded' })
    expect(answer.took).toBeLessThan(promptly)
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test('of nobody is refused before its body', async () => {
    const stranger = { ...user, headers: {} }
    expect(await sendEndless([], fileStart('x.bin'), stranger)).toMatchObject({ status: 401, error: 'unauthenticated' })
  })
})

describe('a declared length', () => {
  test.each([
    [40 * megabyte, 'file_too_large'],
    [Number.MAX_SAFE_INTEGER, 'file_too_large'],
  ])('of %i bytes is refused at the first of them', async (length, error) => {
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/upload',
      headers: { ...user.headers, 'content-type': multipartType, 'content-length': String(length) },
      body: endless(fileStart('x.bin'), 0),
    })
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.text)).toMatchObject({ error })
  })

  test('beyond the quota is refused at the first byte', async () => {
    const poor = await buildUser(server, { storageQuota: 1000 })
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/upload',
      headers: { ...poor.headers, 'content-type': multipartType, 'content-length': String(20 * megabyte) },
      body: endless(fileStart('x.bin'), 0),
    })
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'quota_exceeded' })
  })
})

describe('fetch', () => {
  test('sees the refusal of a stream that it is still sending', async () => {
    const source = endless(fileStart('x.bin'), megabyte)
    const body = new ReadableStream<Uint8Array>({
      pull: async controller => {
        const { value } = await source.next()
        if (value !== undefined) controller.enqueue(new Uint8Array(value))
      },
    })
    const response = await fetch(`${server.url}/api/files/upload`, {
      method: 'POST',
      headers: { ...user.headers, 'content-type': multipartType },
      body,
      duplex: 'half',
    } as RequestInit)
    expect(await failure(response)).toEqual({ status: 413, error: 'file_too_large' })
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })
})
