/** The minimum of free space: calls that add data stop before the disk is full, and everything else goes on. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, type TestContext, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { copyFile, listFiles } from '../../src/api/files.ts'
import { getSystem, type SystemInfo } from '../../src/api/system.ts'
import { deleteFile, emptyTrash, trashFile } from '../../src/api/trash.ts'
import { failure, signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { type Holdings, readHoldings } from '../support/holdings.ts'
import { drawImage } from '../support/images.ts'
import { fileStart, multipartType } from '../support/multipart.ts'
import { onlyOn, onlyOneServer } from '../support/only-on.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead, sendWire } from '../support/wire.ts'

const megabyte = 1024 ** 2
const noRoom = { status: 507, code: 'storage_full' }

let disk: SmallDisk
let server: TestServer
let user: BuiltUser
let file: number
let folder: number
const content = largeContent()

/** A server with one of its folders on a small disk, of which it keeps 8 MB free. */
async function openServer(context: TestContext, folders: (disk: SmallDisk) => { dataDir?: string; storage?: string }) {
  disk = await mountSmallDisk(context, '64m')
  server = await startServer({ ...folders(disk), minFreeSpace: '8MB' })
  context.onTestFinished(async () => {
    await server.close()
    await disk.unmount()
  })
  user = await buildUser(server)
  file = (await buildFile(user, { name: 'kept.bin' }, content)).id
  folder = (await buildFolder(user)).id
}

/** The disk as two requests show it, which two servers behind a balancer answer by turns. */
async function look(): Promise<SystemInfo[]> {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  return [await admin.call(getSystem, {}), await admin.call(getSystem, {})]
}

/** Waits until the server, which looks at the disk once a second, has seen its new state. */
const seen = (full: string | null) =>
  expect.poll(async () => (await look()).map(({ full_disk }) => full_disk)).toEqual([full, full])

const head = (headers: Record<string, string>) =>
  requestHead(server.url, 'POST', '/api/files/upload', { ...user.headers, 'content-type': multipartType, ...headers })

describe('a storage below the minimum of free space', () => {
  let before: Holdings
  beforeEach(async context => {
    await openServer(context, ({ folder }) => ({ storage: join(folder, 'storage') }))
    await disk.leave(7 * megabyte)
    await seen('storage')
    before = await readHoldings(server)
  })

  test('refuses uploads and replacements, large or small, and keeps nothing of them', async () => {
    for (const bytes of ['small', largeContent()]) {
      await expect(buildFile(user, {}, bytes)).rejects.toMatchObject(noRoom)
      await expect(buildFile(user, { name: 'kept.bin', on_conflict: 'replace' }, bytes)).rejects.toMatchObject(noRoom)
    }
    expect(await readHoldings(server)).toEqual(before)
  })

  test('refuses an upload before its body is sent', async context => {
    onlyOneServer('proxy', context)
    const socket = await openSocket(server.url)
    socket.write(head({ 'content-length': '5000000' }))
    const answer: Buffer[] = []
    for await (const chunk of socket) answer.push(chunk)
    expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1\.1 507 .*connection: close.*"storage_full"/is)
  })

  test('refuses copies', async () => {
    await expect(user.call(copyFile, { id: file, parent_id: folder })).rejects.toMatchObject(noRoom)
    await expect(user.call(copyFile, { id: folder })).rejects.toMatchObject(noRoom)
  })

  test('lets users sign in, read, trash, delete and empty the trash', async () => {
    const again = await signIn(server.url, user.username, user.password)
    expect((await again.call(listFiles, {})).files).toHaveLength(1)
    expect(Buffer.from(await (await again.raw(`/api/files/${file}/download`)).arrayBuffer())).toEqual(content)
    await again.call(trashFile, { id: file })
    await again.call(deleteFile, { id: file })
    await again.call(emptyTrash, {})
    // Bytes go after the answer, by another process where several answer.
    await expect.poll(async () => (await readHoldings(server)).keys).toEqual([])
  })

  test('accepts uploads again once there is more free space', async () => {
    await disk.leave(20 * megabyte)
    await seen(null)
    expect((await buildFile(user, {}, largeContent())).size).toBe(content.length)
  })
})

describe('a storage slightly above the minimum of free space', () => {
  beforeEach(async context => {
    await openServer(context, ({ folder }) => ({ storage: join(folder, 'storage') }))
    await disk.leave(12 * megabyte)
    await expect
      .poll(async () => Math.max(...(await look()).map(({ free_bytes }) => free_bytes ?? Number.POSITIVE_INFINITY)))
      .toBeLessThan(13 * megabyte)
  })

  test('accepts uploads that fit, and refuses one by its length that does not', async () => {
    expect((await buildFile(user, {}, Buffer.alloc(megabyte, 1))).size).toBe(megabyte)
    await expect(buildFile(user, {}, Buffer.alloc(6 * megabyte, 2))).rejects.toMatchObject(noRoom)
  })

  test('aborts an upload without a length when it no longer fits, and keeps nothing of it', async () => {
    const before = await readHoldings(server)
    async function* endless() {
      yield fileStart('endless.bin')
      for (;;) {
        yield Buffer.alloc(64 * 1024, 'x')
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    }
    const headers = { ...user.headers, 'content-type': multipartType }
    const answer = await sendWire(server.url, { method: 'POST', path: '/api/files/upload', headers, body: endless() })
    expect([answer.status, JSON.parse(answer.text).error]).toEqual([507, 'storage_full'])
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })
})

test('a database below the minimum of free space refuses uploads, even when the storage has room', async context => {
  onlyOn('sqlite', context)
  const storage = await mkdtemp(join(tmpdir(), 'filestore-test-'))
  context.onTestFinished(() => rm(storage, { recursive: true }))
  await openServer(context, ({ folder }) => ({ dataDir: join(folder, 'data'), storage }))
  await disk.leave(7 * megabyte)
  await seen('database')
  await expect(buildFile(user, {}, 'small')).rejects.toMatchObject(noRoom)
  await user.call(trashFile, { id: file })
  await user.call(deleteFile, { id: file })
  await disk.leave(20 * megabyte)
  await seen(null)
  await buildFile(user, {}, 'small')
})

describe('a minimum of free space that no disk has', () => {
  let full: TestServer
  beforeEach(async () => {
    full = await startServer({ minFreeSpace: '1000000GB' })
  })
  afterEach(() => full.close())

  test('refuses every upload, and is shown to administrators', async () => {
    const admin = await signIn(full.url, full.adminName, full.adminPassword)
    await expect(buildFile(admin)).rejects.toMatchObject(noRoom)
    expect(await admin.call(getSystem, {})).toMatchObject({ min_free_bytes: 1e6 * 1024 ** 3, full_disk: 'storage' })
    expect((await admin.call(getProfile, {})).storage_used).toBe(0)
  })
})

test('existing thumbnails are served below the minimum of free space, and new ones are drawn once there is room', async context => {
  await openServer(context, ({ folder }) => ({ storage: join(folder, 'storage') }))
  const [drawn, undrawn] = [
    await buildFile(user, { name: 'a.png' }, await drawImage(20, 20).as('png')),
    await buildFile(user, { name: 'b.png' }, await drawImage(30, 30).as('png')),
  ]
  expect((await user.raw(`/api/files/${drawn.id}/thumbnail`)).status).toBe(200)
  await disk.leave(7 * megabyte)
  await seen('storage')
  expect((await user.raw(`/api/files/${drawn.id}/thumbnail`)).status).toBe(200)
  expect(await failure(await user.raw(`/api/files/${undrawn.id}/thumbnail`))).toEqual({
    status: 507,
    error: 'storage_full',
  })
  await disk.leave(20 * megabyte)
  await seen(null)
  expect((await user.raw(`/api/files/${undrawn.id}/thumbnail`)).status).toBe(200)
})
