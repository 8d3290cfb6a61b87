/** Disk blocks that `filestore backup` shares with the server's own files, and which damage reaches both. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { buildFailingDisk } from '../support/failing-disk.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { flipByte, pathOfKey } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn, spawnOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let folder: string

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  folder = await backups.openFolder()
})
afterEach(() => server.close())

/** Makes a file, and returns its paths on the server and in the backup. */
async function buildLarge(name: string) {
  const content = largeContent()
  const { sha256 } = await buildFile(ann, { name }, content)
  const row = await server.deps.db.row<{ key: string }>('SELECT `key` FROM blobs WHERE sha256 = $1', [sha256])
  return { content, live: pathOfKey(server, row?.key ?? ''), kept: backups.contentPath(folder, sha256 ?? '') }
}

const inodeOf = async (path: string) => (await stat(path)).ino
const verify = async () => (await runOn(server, ['backup', '--verify', folder])).code

describe('damage and shared blocks', () => {
  test('damage on the server does not reach the backup on the same disk', async () => {
    const { content, live } = await buildLarge('plans.bin')
    await backups.backUp(server, folder)
    await flipByte(live, 20_000)
    expect(await verify()).toBe(0)
    // The backup keeps its copy, even after the server has lost its own.
    expect((await backups.backUp(server, folder)).outcomes).toMatchObject({ kept: 1 })
    const site = await backups.openSite()
    await backups.restore(folder, site)
    expect((await backups.readWhole(site)).get('plans.bin')?.equals(content)).toBe(true)
  })

  test('damage in a restored server does not reach the backup on the same disk', async () => {
    await buildLarge('plans.bin')
    await backups.backUp(server, folder)
    const site = await backups.openSite()
    expect((await backups.restore(folder, site)).outcomes).toMatchObject({ linked: 0 })
    const key = await backups.withDatabaseOf(site, db => db.row<{ key: string }>('SELECT `key` FROM blobs'))
    await flipByte(pathOfKey(site, key?.key ?? ''), 20_000)
    expect(await verify()).toBe(0)
  })

  test('damage on the server reaches a backup with --link, because both are one file', async () => {
    const { live, kept } = await buildLarge('plans.bin')
    expect((await backups.backUp(server, folder, '--link')).outcomes).toMatchObject({ copied: 0, linked: 1 })
    expect(await inodeOf(kept)).toBe(await inodeOf(live))
    await flipByte(live, 20_000)
    const { code, stdout } = await runOn(server, ['backup', '--verify', folder])
    expect(code).toBe(1)
    expect(stdout).toContain('plans.bin')
  })

  test('--link copies to another disk', async () => {
    const other = join(await backups.openFolder('/dev/shm'), 'place')
    await buildLarge('plans.bin')
    expect((await backups.backUp(server, other, '--link')).outcomes).toMatchObject({ copied: 1, linked: 0 })
  })

  test('a backup without --link replaces earlier links by copies', async () => {
    const { live, kept } = await buildLarge('plans.bin')
    await backups.backUp(server, folder, '--link')
    const next = await backups.backUp(server, folder)
    expect([backups.countCopies(next), next.outcomes.kept]).toEqual([1, 0])
    expect(await inodeOf(kept)).not.toBe(await inodeOf(live))
    expect((await backups.backUp(server, folder, '--link')).outcomes).toMatchObject({ linked: 0, kept: 1 })
    await flipByte(live, 20_000)
    expect(await verify()).toBe(0)
  })

  test.for(['refused', 'empty'] as const)('a copy replaces a clone that is %s', async (cloning, context) => {
    const { content, kept } = await buildLarge('plans.bin')
    const env = await buildFailingDisk(context, cloning)
    const { code, stdout, stderr } = await spawnOn(server, ['backup', folder, '--json'], '', env)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout).outcomes).toMatchObject({ copied: 1, reflinked: 0 })
    expect((await readFile(kept)).equals(content)).toBe(true)
  })

  test('content that has changed on the server is named, and not backed up', async () => {
    const { live, kept } = await buildLarge('plans.bin')
    await buildLarge('whole.bin')
    await flipByte(live, 20_000)
    const { code, stdout, stderr } = await runOn(server, ['backup', folder, '--json'])
    expect(code).toBe(1)
    expect(stderr).toContain('ann: plans.bin')
    expect(JSON.parse(stdout)).toMatchObject({ contents: { count: 1 }, lost_count: 1 })
    await expect(stat(kept)).rejects.toThrow('ENOENT')
  })
})
