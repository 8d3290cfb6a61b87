/** Uploads into an object store that their clients stop before a part is full take a limited memory of the server. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readPeakMemory, readSettledMemory } from '../bench/memory-of.ts'
import { serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile } from '../support/factories.ts'
import { fileStart, multipartType } from '../support/multipart.ts'
import { s3Environment, startS3Server } from '../support/s3-server.ts'
import { beginUpload, bytesType, version } from '../support/tus.ts'
import { openForTest, requestHead } from '../support/wire.ts'

const megabyte = 1024 ** 2
/** MB above the memory of an idle server: 96 of parts, and what is on its way, and garbage. */
const mostHeld = 280
/** Just less than a part. */
const sent = Buffer.alloc(7.5 * megabyte, 'a')
const length = 30 * megabyte

const password = 'given by the environment'

async function leave(url: string, client: TestClient, method: string, path: string, type: Record<string, string>) {
  const socket = await openForTest(url)
  socket.resume()
  const headers = { ...client.headers, ...type, 'content-length': String(length) }
  socket.write(requestHead(url, method, path, headers))
  return socket
}

async function leaveForm(url: string, client: TestClient, name: string): Promise<void> {
  const socket = await leave(url, client, 'POST', '/api/files/upload', { 'content-type': multipartType })
  socket.write(fileStart(name))
  await new Promise<void>(resolve => socket.write(sent, () => resolve()))
}

async function leaveTus(url: string, client: TestClient, name: string): Promise<void> {
  const address = await beginUpload(client, { length, metadata: { name } })
  const socket = await leave(url, client, 'PATCH', address, { ...version, ...bytesType, 'upload-offset': '0' })
  await new Promise<void>(resolve => socket.write(sent, () => resolve()))
}

test('eighty uploads that stop before a part is full take at most 280 MB, and another succeeds', async () => {
  const store = await startS3Server()
  const dataDir = await mkdtemp(join(tmpdir(), 'filestore-stalled-'))
  const env = { ...s3Environment, FILESTORE_ADMIN_PASSWORD: password }
  const server = await serveBinary(['--data-dir', dataDir, '--storage', store.flag], env)
  onTestFinished(async () => {
    await server.stop('SIGKILL')
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { url } = server
  const pid = server.child.pid as number
  const client = await signIn(url, 'admin', password)
  const idle = await readSettledMemory(pid)
  const peak = await readPeakMemory(pid, async () => {
    const names = Array.from({ length: 40 }, (_, index) => `stalled-${index}`)
    await Promise.all(names.flatMap(name => [leaveForm(url, client, name), leaveTus(url, client, `${name}-tus`)]))
    await readSettledMemory(pid)
  })
  expect(peak - idle).toBeLessThan(mostHeld)

  const bytes = randomBytes(20 * megabyte)
  const { id } = await buildFile(client, {}, bytes)
  const answer = await client.raw(`/api/files/${id}/download`)
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
})
