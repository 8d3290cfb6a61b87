/** Uploads over slow connections: one that makes progress may take long, one that does not is cut off. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setInterval } from 'node:timers/promises'
import { type TestContext, test } from 'vitest'
import { readAnswer } from '../../src/api/client.ts'
import { listFiles } from '../../src/api/files.ts'
import type { ItemAnswer } from '../../src/api/items.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { readHoldings } from '../support/holdings.ts'
import { fileStart, multipartBody, multipartType } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead, sendWire } from '../support/wire.ts'

const uploadPath = '/api/files/upload'
const minute = 60_000

async function openServer({ onTestFinished }: TestContext) {
  const server = await startServer()
  onTestFinished(() => server.close())
  return { server, client: await signIn(server.url, server.adminName, server.adminPassword) }
}

/** Yields a chunk every `every` ms. */
async function* pace(pieces: Iterable<Buffer>, every: number): AsyncGenerator<Buffer> {
  const source = pieces[Symbol.iterator]()
  for await (const _ of setInterval(every)) {
    const { value, done } = source.next()
    if (done) return
    yield value
  }
}

const split = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))

/** Starts an upload on its own connection; returns how many ms pass until the server ends it. */
async function beginUpload(
  { onTestFinished }: TestContext,
  { url }: TestServer,
  client: TestClient,
  firstBytes: Buffer,
) {
  const socket = await openSocket(url)
  onTestFinished(() => {
    socket.destroy()
  })
  // The server may reset the connection; only its end matters. Its answer has to be read for that.
  socket.resume()
  socket.on('error', () => undefined)
  const started = performance.now()
  const head = requestHead(url, 'POST', uploadPath, {
    ...client.headers,
    'content-type': multipartType,
    'content-length': String(1024 ** 2),
  })
  socket.write(Buffer.concat([Buffer.from(head), fileStart('slow.bin'), firstBytes]))
  return { socket, cutAfter: once(socket, 'close').then(() => performance.now() - started) }
}

test.concurrent('an upload at 20 kB/s that takes more than five minutes is stored completely', async context => {
  const { expect } = context
  const { server, client } = await openServer(context)
  const bytes = randomBytes(6_200_000)
  const started = performance.now()
  const answer = await sendWire(server.url, {
    method: 'POST',
    path: uploadPath,
    headers: { ...client.headers, 'content-type': multipartType },
    body: pace([fileStart('slow.bin'), ...split(bytes, 10_000), Buffer.from('\r\n'), multipartBody([])], 500),
  })
  expect(performance.now() - started).toBeGreaterThan(5 * minute)
  expect(answer.status).toBe(201)
  const { file } = readAnswer<ItemAnswer>(answer)
  expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  const download = await client.raw(`/api/files/${file.id}/download`)
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
})

test.concurrent('an upload that sends no byte for 60 seconds is cut off and leaves nothing', async context => {
  const { expect } = context
  const { server, client } = await openServer(context)
  const before = await readHoldings(server)
  const { cutAfter } = await beginUpload(context, server, client, randomBytes(200_000))
  await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(before.keys.length + 1)
  const passed = await cutAfter
  expect(passed).toBeGreaterThan(minute - 1000)
  expect(passed).toBeLessThan(minute + 15_000)
  await expect.poll(() => readHoldings(server)).toEqual(before)
  expect((await client.call(listFiles, {})).total).toBe(0)
})

test.concurrent('an upload slower than 1 kB/s for five minutes is cut off and leaves nothing', async context => {
  const { expect } = context
  const { server, client } = await openServer(context)
  const before = await readHoldings(server)
  const { socket, cutAfter } = await beginUpload(context, server, client, randomBytes(40_000))
  await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(before.keys.length + 1)
  for await (const piece of pace(split(randomBytes(200_000), 500), 1000)) {
    if (socket.destroyed) break
    socket.write(piece)
  }
  const passed = await cutAfter
  expect(passed).toBeGreaterThan(5 * minute - 1000)
  expect(passed).toBeLessThan(5 * minute + 15_000)
  await expect.poll(() => readHoldings(server)).toEqual(before)
})
