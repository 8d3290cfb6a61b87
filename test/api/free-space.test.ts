/** The floor of free space: what adds to the disk stops before it is full, and all else goes on. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, type TestContext, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { copyFile, deleteFile, emptyTrash, listFiles, trashFile } from '../../src/api/files.ts'
import { getSystem } from '../../src/api/system.ts'
import { failure, signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { type Holdings, readHoldings } from '../support/holdings.ts'
import { drawImage } from '../support/images.ts'
import { fileStart, multipartType } from '../support/multipart.ts'
import { onlyOn } from '../support/only-on.ts'
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

/** A server of whose folders one is on a small disk, and which keeps 8 MB of it free. */
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

/** What was seen a second ago counts: waits until it is the disk's new state. */
const seen = (full: string | null) =>
  expect.poll(async () => (await (await adminOf()).call(getSystem, {})).full_disk, { timeout: 5000 }).toBe(full)
const adminOf = () => signIn(server.url, server.adminName, server.adminPassword)

const head = (headers: Record<string, string>) =>
  requestHead(server.url, 'POST', '/api/files/upload', { ...user.headers, 'content-type': multipartType, ...headers })

describe('a storage with less free than is to stay free', () => {
  let before: Holdings
  beforeEach(async context => {
    await openServer(context, ({ folder }) => ({ storage: join(folder, 'storage') }))
    await disk.leave(7 * megabyte)
    await seen('storage')
    before = await readHoldings(server)
  })

  test('takes no upload, large or small, nor a replacement; nothing of them stays', async () => {
    for (const bytes of ['small', largeContent()]) {
      await expect(buildFile(user, {}, bytes)).rejects.toMatchObject(noRoom)
      await expect(buildFile(user, { name: 'kept.bin', on_conflict: 'replace' }, bytes)).rejects.toMatchObject(noRoom)
    }
    expect(await readHoldings(server)).toEqual(before)
  })

  test('says so before the body is sent', async () => {
    const socket = await openSocket(server.url)
    socket.write(head({ 'content-length': '5000000' }))
    const answer: Buffer[] = []
    for await (const chunk of socket) answer.push(chunk)
    expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1\.1 507 .*connection: close.*"storage_full"/is)
  })

  test('takes no copy and draws no thumbnail', async () => {
    await expect(user.call(copyFile, { id: file, parent_id: folder })).rejects.toMatchObject(noRoom)
    await expect(user.call(copyFile, { id: folder })).rejects.toMatchObject(noRoom)
  })

  test('lets its users sign in, read, trash, delete and empty the trash', async () => {
    const again = await signIn(server.url, user.username, user.password)
    expect((await again.call(listFiles, {})).files).toHaveLength(1)
    expect(Buffer.from(await (await again.raw(`/api/files/${file}/download`)).arrayBuffer())).toEqual(content)
    await again.call(trashFile, { id: file })
    await again.call(deleteFile, { id: file })
    await again.call(emptyTrash, {})
    expect((await readHoldings(server)).keys).toEqual([])
  })

  test('takes uploads again once there is more', async () => {
    await disk.leave(20 * megabyte)
    await seen(null)
    expect((await buildFile(user, {}, largeContent())).size).toBe(content.length)
  })
})

describe('a storage with a little more free than is to stay free', () => {
  beforeEach(async context => {
    await openServer(context, ({ folder }) => ({ storage: join(folder, 'storage') }))
    await disk.leave(12 * megabyte)
    await expect.poll(async () => (await (await adminOf()).call(getSystem, {})).free_bytes).toBeLessThan(13 * megabyte)
  })

  test('takes what fits, and refuses by its length what does not', async () => {
    expect((await buildFile(user, {}, Buffer.alloc(megabyte, 1))).size).toBe(megabyte)
    await expect(buildFile(user, {}, Buffer.alloc(6 * megabyte, 2))).rejects.toMatchObject(noRoom)
  })

  test('breaks off what does not tell its length, and keeps nothing of it', async () => {
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

test('a database whose disk has less free than is to stay free lets no upload in, however much the storage may take', async context => {
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

describe('a floor that no disk here has', () => {
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

test('thumbnails that are there are shown, and others wait until there is room', async context => {
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
