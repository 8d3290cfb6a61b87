/** `filestore backup` on a disk with too little free space. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, type TestContext, test } from 'vitest'
import { buildFile, buildUser } from '../support/factories.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, runOn } from './administration.ts'
import * as backups from './backups.ts'

let disk: SmallDisk | undefined
let server: TestServer | undefined

afterEach(async () => {
  await server?.close()
  await disk?.unmount()
  disk = undefined
  server = undefined
})

/** Starts a server with 800 KB of contents on its own small disk, which also takes the backups. */
async function startOnSmallDisk(context: TestContext) {
  disk = await mountSmallDisk(context, '32m')
  server = await startServer({ dataDir: join(disk.folder, 'data') })
  const ann = await buildUser(server, { username: 'ann' })
  for (let count = 0; count < 20; count++) await buildFile(ann, {}, largeContent())
  return { disk, server, ann, place: join(disk.folder, 'place') }
}

test('a backup that finds no space leaves the linked contents of an earlier backup intact', async context => {
  const { disk, server, place } = await startOnSmallDisk(context)
  await backups.backUp(server, place, '--link')
  await disk.leave(300 * 1024)
  expectRefusal(await runOn(server, ['backup', place]), 6, 'no space left')
  expect(await runOn(server, ['backup', '--verify', place])).toMatchObject({ code: 0 })
  await disk.leave(8 * 1024 ** 2)
  expect(backups.countCopies(await backups.backUp(server, place))).toBeGreaterThan(0)
  expect(await runOn(server, ['backup', '--verify', place])).toMatchObject({ code: 0 })
})

test("a backup to the server's own disk is refused when less than the reserve would stay free", async context => {
  const { disk, server, ann, place } = await startOnSmallDisk(context)
  await backups.backUp(server, place)
  for (let count = 0; count < 20; count++) await buildFile(ann, {}, largeContent())
  const before = await backups.listContents(place)
  const backUp = (path: string, floor: string) =>
    runOn(server, ['backup', path], '', { FILESTORE_MIN_FREE_SPACE: floor })
  const file = join(disk.folder, 'file.tar')
  await disk.leave(3 * 1024 ** 2)
  for (const path of [place, file]) {
    const outcome = await backUp(path, '2.5MB')
    expectRefusal(outcome, 6, `Too little room on the disk of ${disk.folder}`)
    expect(outcome.stderr).toContain('and 2.5MB are to stay free (FILESTORE_MIN_FREE_SPACE)')
  }
  expect((await backups.listContents(place)).sort()).toEqual(before.sort())
  expect(await runOn(server, ['backup', '--verify', place])).toMatchObject({ code: 0 })
  expect((await readdir(disk.folder)).sort()).toEqual(['ballast', 'data', 'place'])
  await disk.leave(8 * 1024 ** 2)
  const elsewhere = join(await backups.openFolder(), 'place')
  for (const path of [place, file]) expect((await backUp(path, '500KB')).code).toBe(0)
  expect((await backUp(elsewhere, '20MB')).code).toBe(0)
})
