/** Two servers on one MariaDB: a resumable upload goes on at either, and one of them writes at a time. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServeProcess, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { onlyOn } from '../support/only-on.ts'
import { onlyNightly } from '../support/rounds.ts'
import { adminPassword, createConfig } from '../support/test-server.ts'
import { beginUpload, bytesType, head, patch, version } from '../support/tus.ts'

const isMariadb = process.env.FILESTORE_TEST_DATABASE !== undefined
const bytes = randomBytes(6_000_000)

let opened: Awaited<ReturnType<typeof createConfig>>
let servers: ServeProcess[] = []
let clients: TestClient[] = []
beforeAll(async () => {
  if (!isMariadb) return
  opened = await createConfig()
  const { config, database } = opened
  const args = ['--data-dir', config.dataDir, '--database', database.flag ?? '']
  const start = () => serveBinary(args, { FILESTORE_ADMIN_PASSWORD: adminPassword, FILESTORE_LOG_LEVEL: 'warn' })
  servers = [await start(), await start()]
  clients = await Promise.all(servers.map(({ url }) => signIn(url, 'admin', adminPassword)))
})
afterAll(async () => {
  if (!isMariadb) return
  for (const server of servers) await server.stop('SIGKILL')
  await opened.database.drop()
  await rm(opened.config.dataDir, { recursive: true, force: true })
})

const at = (index: number): TestClient => clients[index] ?? expect.fail('no such server')

/** Bytes in the store, durable or not. */
async function written(): Promise<number> {
  const folder = join(opened.config.dataDir, 'storage', 'blobs')
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  const sizes = await Promise.all(
    entries.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Sends a part at the first server, and keeps the request open. */
function sendSlowly(address: string, part: Buffer, offset = 0) {
  const headers = { ...at(0).headers, ...version, ...bytesType, 'upload-offset': String(offset) }
  const sent = request(`${servers[0]?.url}${address}`, { method: 'PATCH', headers, agent: false })
  const ended = new Promise<number | null>(resolve => {
    sent.on('response', response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', () => resolve(null))
  })
  sent.write(part)
  return { ended, end: (rest: Buffer) => sent.end(rest) }
}

async function expectFile(address: string): Promise<void> {
  const file = (await head(at(0), address)).headers.get('content-location')
  const stored = Buffer.from(await (await at(1).raw(`${file}/download`)).arrayBuffer())
  const hash = (of: Buffer) => createHash('sha256').update(of).digest('hex')
  expect(hash(stored)).toBe(hash(bytes))
}

/** Asks at the second server until it may go on there; tells what it was answered before. */
async function takeOver(address: string): Promise<{ offset: number; refusals: Set<number> }> {
  const refusals = new Set<number>()
  let response = await head(at(1), address)
  await expect
    .poll(
      async () => {
        if (response.status !== 200) refusals.add(response.status)
        response = await head(at(1), address)
        return response.status
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBe(200)
  return { offset: Number(response.headers.get('upload-offset')), refusals }
}

test('pieces may come to either server', async context => {
  onlyOn('mariadb', context)
  const address = await beginUpload(at(0), { length: bytes.length })
  for (let offset = 0, turn = 0; offset < bytes.length; offset += 1_000_000, turn += 1) {
    const answer = await patch(at(turn % 2), address, offset, bytes.subarray(offset, offset + 1_000_000))
    expect(answer.status).toBe(204)
    expect((await head(at((turn + 1) % 2), address)).headers.get('upload-offset')).toBe(String(offset + 1_000_000))
  }
  await expectFile(address)
})

test('a server lets go of an upload that is wanted at the other, with what it has', async context => {
  onlyOn('mariadb', context)
  const address = await beginUpload(at(0), { length: bytes.length })
  const before = await written()
  const slow = sendSlowly(address, bytes.subarray(0, 3_000_000))
  // The server holds the upload before it writes.
  await expect.poll(written).toBeGreaterThan(before)
  const { offset, refusals } = await takeOver(address)
  expect([...refusals]).toEqual([423])
  expect((await patch(at(1), address, offset, bytes.subarray(offset))).status).toBe(204)
  await slow.ended
  await expectFile(address)
})

test('a server that has slept while the other took its upload changes nothing', { timeout: 180_000 }, async context => {
  onlyOn('mariadb', context)
  onlyNightly(context)
  const address = await beginUpload(at(0), { length: bytes.length })
  const before = await written()
  const slow = sendSlowly(address, bytes.subarray(0, 3_000_000))
  // The server holds the upload before it writes.
  await expect.poll(written).toBeGreaterThan(before)
  servers[0]?.child.kill('SIGSTOP')
  const { offset, refusals } = await takeOver(address)
  expect([...refusals]).toEqual([423])
  expect((await patch(at(1), address, offset, bytes.subarray(offset, 4_000_000))).status).toBe(204)
  servers[0]?.child.kill('SIGCONT')
  slow.end(bytes.subarray(3_000_000))
  await slow.ended
  const at4 = Number((await head(at(1), address)).headers.get('upload-offset'))
  if (at4 < bytes.length) expect((await patch(at(1), address, at4, bytes.subarray(at4))).status).toBe(204)
  await expectFile(address)
})

test('a server that wakes after the other has made a file changes nothing in it', {
  timeout: 180_000,
}, async context => {
  onlyOn('mariadb', context)
  onlyNightly(context)
  const address = await beginUpload(at(0), { length: bytes.length })
  expect((await patch(at(0), address, 0, bytes.subarray(0, 1_000_000))).status).toBe(204)
  const before = await written()
  const slow = sendSlowly(address, Buffer.alloc(2_000_000), 1_000_000)
  await expect.poll(written).toBeGreaterThan(before)
  servers[0]?.child.kill('SIGSTOP')
  const { offset } = await takeOver(address)
  expect((await patch(at(1), address, offset, bytes.subarray(offset))).status).toBe(204)
  // Bytes that it receives only now are those that another file would have.
  slow.end(Buffer.alloc(3_000_000))
  servers[0]?.child.kill('SIGCONT')
  await slow.ended
  await expectFile(address)
})
