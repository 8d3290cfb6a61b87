/** Bodies that their clients never end take a limited memory of the server, however many are sent. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changePassword, login } from '../../src/api/auth.ts'
import { findFileByPath } from '../../src/api/files.ts'
import { maxMetadataValueLength } from '../../src/api/limits.ts'
import { uploadMany } from '../../src/api/upload-many.ts'
import { createUser } from '../../src/api/users.ts'
import type { AnyEndpoint } from '../../src/route.ts'
import { readPeakMemory, readSettledMemory } from '../bench/memory-of.ts'
import { serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { multipartType, openParts, type Part } from '../support/multipart.ts'
import { openForTest, requestHead } from '../support/wire.ts'

/** MB above the memory of an idle server. */
const mostHeld = 150
/** The same for forms, of which V8 leaves parsed values uncollected for a while, the longer the busier the machine is. */
const mostHeldForms = 220

const password = 'given by the environment'

/** A server in a process of its own, whose memory is not that of the tests. */
async function startProcess() {
  const dataDir = await mkdtemp(join(tmpdir(), 'filestore-held-'))
  const server = await serveBinary(['--data-dir', dataDir], { FILESTORE_ADMIN_PASSWORD: password })
  onTestFinished(async () => {
    await server.stop('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  return { url: server.url, pid: server.child.pid as number }
}

async function addUser(url: string, admin: TestClient, username: string): Promise<TestClient> {
  const first = `first password of ${username}`
  await admin.call(createUser, { username, email: `${username}@example.org`, password: first, role: 'user' })
  const user = await signIn(url, username, first)
  const chosen = `own password of ${username}`
  await user.call(changePassword, { current_password: first, new_password: chosen })
  return signIn(url, username, chosen)
}

/** 60 KB of description before a file of a byte; texts with a character outside of Latin-1 take V8 the most memory. */
const file = (n: number): Part[] => {
  const value = `€${'v'.repeat(maxMetadataValueLength - 10)}`
  const metadata = Array.from({ length: 6 }, (_, index) => ({ field_id: index + 1, value }))
  return [
    { name: 'item', value: JSON.stringify({ name: `${n}.txt`, metadata }) },
    { name: 'file', value: 'x', fileName: 'file.bin' },
  ]
}
const form = openParts(Array.from({ length: 45 }, (_, n) => file(n)).flat())

interface Unended {
  call: AnyEndpoint
  type: string
  body: Buffer
}
const unendedForm: Unended = { call: uploadMany, type: multipartType, body: form }
/** Texts without an end, which a client may send of as many bytes as the longest call accepts. */
const unendedText = Buffer.from(`{"path":"${'/ab'.repeat(330_000)}`)
const unendedPath: Unended = { call: findFileByPath, type: 'application/json', body: unendedText }
const unendedLogin: Unended = { call: login, type: 'application/json', body: unendedText }

/** Sends a body without its end, and keeps the connection. Resolves when all is sent, or the server has closed it. */
async function leave(url: string, user: TestClient, { call, type, body }: Unended): Promise<void> {
  const socket = await openForTest(url)
  socket.resume()
  const headers = { ...user.headers, 'content-type': type, 'content-length': String(body.length + 100) }
  socket.write(requestHead(url, call.method, `/api${call.path}`, headers))
  await new Promise<void>(resolve => {
    socket.once('close', () => resolve())
    socket.write(body, () => resolve())
  })
}

test('forms of thirteen accounts that never end take at most 220 MB', async () => {
  const { url, pid } = await startProcess()
  const admin = await signIn(url, 'admin', password)
  const users = await Promise.all(Array.from({ length: 13 }, (_, n) => addUser(url, admin, `holder${n}`)))
  const idle = await readSettledMemory(pid)
  const peak = await readPeakMemory(pid, async () => {
    await Promise.all([...users, ...users, ...users].map(user => leave(url, user, unendedForm)))
    await readSettledMemory(pid)
  })
  expect((await admin.raw('/api/auth/profile')).status).toBe(200)
  expect(peak - idle).toBeLessThan(mostHeldForms)
})

test.each([
  ['JSON bodies', unendedPath],
  ['bodies that are longer than their call accepts', unendedLogin],
])('400 %s of one account that never end take at most 150 MB', async (_what, unended) => {
  const { url, pid } = await startProcess()
  const admin = await signIn(url, 'admin', password)
  const idle = await readSettledMemory(pid)
  const peak = await readPeakMemory(pid, async () => {
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 20 }, () => leave(url, admin, unended)))
    }
    await readSettledMemory(pid)
  })
  expect((await admin.raw('/api/auth/profile')).status).toBe(200)
  expect(peak - idle).toBeLessThan(mostHeld)
})
