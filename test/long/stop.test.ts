/** Stopping a server during transfers: those that make progress finish, and those that do not are cut off. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { type TestContext, test } from 'vitest'
import { type ServeProcess, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { openSocket, requestHead } from '../support/wire.ts'

const password = 'some password'

async function openServer({ onTestFinished }: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'filestore-stop-'))
  const args = ['--data-dir', dataDir, '--max-file-size', '1GB']
  const server = await serveBinary(args, { FILESTORE_ADMIN_PASSWORD: password })
  onTestFinished(async () => {
    await server.stop('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  return { server, admin: await signIn(server.url, 'admin', password) }
}

/** Starts a download on its own connection without reading it. */
async function beginDownload({ url }: ServeProcess, admin: TestClient, id: number) {
  const socket = await openSocket(url)
  socket.pause().on('error', () => undefined)
  socket.write(requestHead(url, 'GET', `/api/files/${id}/download`, admin.headers))
  // The download has started when its first bytes arrive.
  await once(socket, 'readable')
  return socket
}

test.concurrent('a download that a client reads slowly finishes', async context => {
  const { expect } = context
  const { server, admin } = await openServer(context)
  const bytes = randomBytes(40_000_000)
  const file = await admin.upload(bytes, { name: 'large.bin' })
  const socket = await beginDownload(server, admin, file.id)
  const started = performance.now()
  const exit = server.stop()
  const chunks: Buffer[] = []
  for await (const _ of setInterval(100)) {
    const chunk: Buffer | null = socket.read(Math.min(socket.readableLength, 200_000))
    if (chunk !== null) chunks.push(chunk)
    if (socket.readableEnded) break
  }
  const received = Buffer.concat(chunks)
  const body = received.subarray(received.indexOf('\r\n\r\n') + 4)
  expect(createHash('sha256').update(body).digest('hex')).toBe(file.sha256)
  expect(performance.now() - started).toBeGreaterThan(15_000)
  expect(await exit).toBe(0)
  expect((await server.child).stderr).not.toContain('requests were cut')
})

test.concurrent('a download that the client does not read is cut off within two minutes', async context => {
  const { expect } = context
  const { server, admin } = await openServer(context)
  const file = await admin.upload(randomBytes(40_000_000), { name: 'large.bin' })
  await beginDownload(server, admin, file.id)
  const started = performance.now()
  expect(await server.stop()).toBe(0)
  expect(performance.now() - started).toBeGreaterThan(55_000)
  expect(performance.now() - started).toBeLessThan(135_000)
  expect((await server.child).stderr).toContain('"cut":1,"msg":"requests were cut"')
})
