/**
 * Uploads with a true, a false or no Content-Length: the server never takes more than the file limit and the quota,
 * refuses while the body is still being sent, and keeps nothing of a refused upload.
 */
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { type Holdings, readHoldings } from '../support/holdings.ts'
import { fileStart, multipartBody, multipartType, openParts, type Part } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead, sendWire } from '../support/wire.ts'

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

/** A body that never ends: `burst` bytes of the file at once, then one piece at a time while the server reads. */
async function* endless(start: Buffer, burst: number): AsyncGenerator<Buffer> {
  yield start
  const piece = Buffer.alloc(64 * 1024, 'e')
  for (let sent = 0; ; sent += piece.length) {
    if (sent >= burst) await new Promise<void>(resolve => setImmediate(resolve))
    yield piece
  }
}

/** Sends an endless body without a Content-Length; returns the answer. */
async function sendEndless(fields: Part[], start = fileStart('endless.bin'), client = user, burst = megabyte) {
  const answer = await sendWire(server.url, {
    method: 'POST',
    path: '/api/files/upload',
    headers: { ...client.headers, 'content-type': multipartType },
    body: endless(Buffer.concat([openParts(fields), start]), burst),
  })
  return { status: answer.status, ...JSON.parse(answer.text) }
}

describe('an endless upload', () => {
  test('is cut off at the file limit', async () => {
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
  ])('with %s is refused early, long before the file limit', async (_what, fields, status, error) => {
    const answer = await sendEndless(fields)
    expect(answer).toMatchObject({ status, error, success: false })
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test('in a field with another name than file is refused early', async () => {
    const start = Buffer.from(fileStart('x.bin').toString().replace('name="file"', 'name="document"'))
    const answer = await sendEndless([], start)
    expect(answer).toMatchObject({ status: 400, error: 'invalid_input' })
  })

  test('of a user without free quota is refused early, long before the file limit', async () => {
    const poor = await buildUser(server, { storageQuota: 100_000 })
    const answer = await sendEndless([], fileStart('x.bin'), poor)
    expect(answer).toMatchObject({ status: 413, error: 'quota_exceeded' })
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test('without a session is refused before its body', async () => {
    const stranger = { ...user, headers: {} }
    expect(await sendEndless([], fileStart('x.bin'), stranger)).toMatchObject({ status: 401, error: 'unauthenticated' })
  })
})

describe('a declared length', () => {
  test.each([
    [40 * megabyte, 'file_too_large'],
    [Number.MAX_SAFE_INTEGER, 'file_too_large'],
  ])('of %i bytes beyond the file limit is refused at the first byte', async (length, error) => {
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

/** Everything that the server sends for a body with these headers, until either side closes the connection. */
async function tell(headers: Record<string, string>, body: Buffer, { hangUp = false } = {}): Promise<string> {
  const all = { ...user.headers, 'content-type': multipartType, connection: 'close', ...headers }
  const socket = await openSocket(server.url)
  socket.on('error', () => undefined)
  socket.write(Buffer.concat([Buffer.from(requestHead(server.url, 'POST', '/api/files/upload', all)), body]))
  if (hangUp) socket.end()
  return text(socket).catch(() => '')
}

const whole = multipartBody([{ name: 'file', fileName: 'lie.bin', value: Buffer.alloc(50_000, 'l') }])
const length = (bytes: number | string) => ({ 'content-length': String(bytes) })
const chunked = { 'transfer-encoding': 'chunked' }
const chunk = (size: string, bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')])
const hex = whole.length.toString(16)

describe('a false length', () => {
  test.each<[string, Record<string, string>, Buffer]>([
    ['less than is sent', length(whole.length - 100), whole],
    ['none of a body', length(0), whole],
    ['below zero', length(-1), whole],
    ['no number', length('x'), whole],
    ['two numbers', length('1, 2'), whole],
    ['hexadecimal', length('0x10'), whole],
    ['with a sign', length('+5'), whole],
    ['beyond 64 bits', length('99999999999999999999'), whole],
    ['beside chunks', { ...length(whole.length), ...chunked }, chunk(hex, whole)],
    ['of a chunk, below zero', chunked, chunk('-1', whole)],
    ['of a chunk, no number', chunked, chunk('xyz', whole)],
    ['of a chunk, beyond 64 bits', chunked, chunk('fffffffffffffffff', whole)],
    ['of a chunk, less than it has', chunked, chunk((whole.length - 100).toString(16), whole)],
    ['of chunks under another coding', { 'transfer-encoding': 'chunked, identity' }, chunk(hex, whole)],
  ])('is 400 and leaves nothing: %s', async (_what, headers, body) => {
    expect(await tell(headers, body)).toMatch(/^HTTP\/1\.1 400 /)
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test.each([
    ['more than is sent', length(whole.length + 100_000)],
    ['a chunk of more than is sent', { ...chunked }],
  ])('leaves nothing when the connection ends early: %s', async (_what, headers) => {
    const body = 'transfer-encoding' in headers ? Buffer.concat([Buffer.from('ffffff\r\n'), whole]) : whole
    expect(await tell(headers, body, { hangUp: true })).not.toMatch(/^HTTP\/1\.1 2/)
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test('of a part is ignored, and the server counts the bytes', async () => {
    const poor = await buildUser(server, { storageQuota: 60_000 })
    const ofPart = (declared: number, bytes: number) =>
      Buffer.from(
        multipartBody([{ name: 'file', fileName: 'part.bin', value: Buffer.alloc(bytes, 'p') }])
          .toString('latin1')
          .replace('\r\n\r\n', `\r\nContent-Length: ${declared}\r\n\r\n`),
        'latin1',
      )
    const send = async (declared: number, bytes: number) =>
      poor.raw('/api/files/upload', {
        method: 'POST',
        headers: { 'content-type': multipartType },
        body: ofPart(declared, bytes),
      })
    expect(await failure(await send(1, 60_001))).toEqual({ status: 413, error: 'quota_exceeded' })
    await expect.poll(() => readHoldings(server)).toEqual(before)
    for (const declared of [-5, 0, 1, 10 ** 12]) expect((await send(declared, 100)).status).toBe(201)
    expect((await poor.call(listFiles, {})).files.map(({ size }) => size)).toEqual([100, 100, 100, 100])
    before = await readHoldings(server)
  })
})

describe('fetch', () => {
  test('receives the refusal while it is still sending a stream', async () => {
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
