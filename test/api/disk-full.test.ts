/** A disk that fills up during an upload or a commit: no part of the change stays, and the server goes on. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, type TestContext, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { failure, signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { type Holdings, readHoldings } from '../support/holdings.ts'
import { drawImage } from '../support/images.ts'
import { onlyOn } from '../support/only-on.ts'
import { expectTrueCounters, largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import type { TestServer } from '../support/test-server.ts'

const megabyte = 1024 ** 2
const replacement = { name: 'kept.bin', on_conflict: 'replace' as const }
const noRoom = { status: 507, code: 'storage_full' }

let disk: SmallDisk
let server: TestServer
let user: BuiltUser
let before: Holdings

const content = largeContent()

async function openServer(context: TestContext, folders: { dataDir?: string; storage?: string }): Promise<void> {
  server = await startServer(folders)
  context.onTestFinished(async () => {
    await server.close()
    await disk.unmount()
  })
  user = await buildUser(server)
}

const readBack = async (id: number) => Buffer.from(await (await user.raw(`/api/files/${id}/download`)).arrayBuffer())

describe('a store that fills up during an upload', () => {
  beforeEach(async context => {
    disk = await mountSmallDisk(context, '32m')
    await openServer(context, { storage: join(disk.folder, 'storage') })
  })

  test('answers 507, keeps nothing of the upload, and goes on with everything else', async () => {
    const kept = await buildFile(user, { name: 'kept.bin' }, content)
    await disk.leave(megabyte)
    before = await readHoldings(server)
    await expect(buildFile(user, {}, Buffer.alloc(5 * megabyte, 1))).rejects.toMatchObject(noRoom)
    await expect(buildFile(user, replacement, Buffer.alloc(5 * megabyte, 2))).rejects.toMatchObject(noRoom)
    expect(await readHoldings(server)).toEqual(before)
    expect(await readBack(kept.id)).toEqual(content)
    await buildFile(user, {}, 'what stands beside its row has room')
    await user.call(trashFile, { id: kept.id })
    await expectTrueCounters(server, user)
  })

  test('answers each of many concurrent uploads on its own, and takes them once there is room', async () => {
    await disk.leave(4 * megabyte)
    const bodies = Array.from({ length: 8 }, (_, index) => Buffer.alloc(megabyte, index))
    const send = () => Promise.allSettled(bodies.map(bytes => buildFile(user, {}, bytes)))
    const outcomes = await send()
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(noRoom)
    const stored = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(stored.length).toBeLessThan(5)
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(stored.length)
    await expectTrueCounters(server, user)
    await disk.leave(20 * megabyte)
    expect((await send()).map(({ status }) => status)).toEqual(bodies.map(() => 'fulfilled'))
    await expectTrueCounters(server, user)
  })

  test('answers 507 for a thumbnail, and draws it once there is room', async () => {
    const { id } = await buildFile(user, { name: 'a.png' }, await drawImage(20, 20).as('png'))
    await disk.leave(0)
    expect(await failure(await user.raw(`/api/files/${id}/thumbnail`))).toEqual({ status: 507, error: 'storage_full' })
    await disk.leave(megabyte)
    expect((await user.raw(`/api/files/${id}/thumbnail`)).status).toBe(200)
  })
})

describe('a database that fills up during a commit', () => {
  beforeEach(async context => {
    onlyOn('sqlite', context)
    disk = await mountSmallDisk(context, '32m')
    const storage = await mkdtemp(join(tmpdir(), 'filestore-test-'))
    context.onTestFinished(() => rm(storage, { recursive: true }))
    await openServer(context, { dataDir: join(disk.folder, 'data'), storage })
  })

  /** Uploads files of a size, which are stored in the database, until one is refused; returns their ids. */
  async function fillWith(bytes: number): Promise<number[]> {
    const ids: number[] = []
    for (;;) {
      try {
        ids.push((await buildFile(user, {}, largeContent().subarray(0, bytes))).id)
      } catch (error) {
        expect(error).toMatchObject(noRoom)
        return ids
      }
    }
  }

  /**
   * Fills the database: where a larger file has no room, a smaller one may have. A refused write may make room, because
   * SQLite then begins its log anew; so the end is a round in which nothing fits.
   */
  async function fill(): Promise<number[]> {
    const ids: number[] = []
    for (;;) {
      const known = ids.length
      for (const bytes of [30_000, 8000, 2000, 1]) ids.push(...(await fillWith(bytes)))
      if (ids.length === known) return ids
    }
  }

  /** Replaces kept.bin with contents that the store takes, until the database refuses one; returns the last, or null. */
  async function replaceUntilRefused(): Promise<Buffer | null> {
    for (let kept: Buffer | null = null; ; ) {
      const next = randomBytes(50_000)
      try {
        await buildFile(user, replacement, next)
        kept = next
      } catch (error) {
        expect(error).toMatchObject(noRoom)
        return kept
      }
    }
  }

  /** Makes small changes, the first of which may still fit into the pages that the database has. */
  async function fillWithFolders(): Promise<void> {
    for (let n = 0; n < 1000; n++) await buildFolder(user)
  }

  test('answers 507 to each change and keeps no part of it', async () => {
    const large = await buildFile(user, { name: 'kept.bin' }, content)
    await disk.leave(megabyte)
    const ids: number[] = []
    // A replacement needs less room than a new file.
    let kept = content
    for (let isFull = false; !isFull; ) {
      const more = await fill()
      ids.push(...more)
      const replaced = await replaceUntilRefused()
      kept = replaced ?? kept
      isFull = more.length === 0 && replaced === null
    }
    expect(ids.length).toBeGreaterThan(3)
    before = await readHoldings(server)
    expect(before.files).toBe(ids.length + 1)
    for (const bytes of [randomBytes(30_000), randomBytes(50_000)]) {
      await expect(buildFile(user, {}, bytes)).rejects.toMatchObject(noRoom)
      await expect(buildFile(user, replacement, bytes)).rejects.toMatchObject(noRoom)
    }
    expect(await readHoldings(server)).toEqual(before)
    expect(await readBack(large.id)).toEqual(kept)
    expect((await user.call(listFiles, { limit: 1000 })).total).toBe(ids.length + 1)
    await expectTrueCounters(server, user)
  })

  test('answers 507 to those of many concurrent uploads that do not fit', async () => {
    await disk.leave(megabyte)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => buildFile(user, {}, largeContent().subarray(0, 30_000))),
    )
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(noRoom)
    const stored = outcomes.filter(({ status }) => status === 'fulfilled').length
    expect(stored).toBeLessThan(100)
    expect((await readHoldings(server)).files).toBe(stored)
    await expectTrueCounters(server, user)
  })

  test('accepts every change again once there is room', async () => {
    await disk.leave(megabyte)
    const ids = await fill()
    await disk.leave(0)
    await expect(fillWithFolders()).rejects.toMatchObject(noRoom)
    await disk.leave(10 * megabyte)
    await buildFolder(user, 'made')
    const again = await signIn(server.url, user.username, user.password)
    expect((await buildFile(user, {}, largeContent())).size).toBe(content.length)
    for (const id of ids) await again.call(trashFile, { id })
    await expectTrueCounters(server, user)
    expect((await user.raw('/readyz')).status).toBe(200)
  })
})
