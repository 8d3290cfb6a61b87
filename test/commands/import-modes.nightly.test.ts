/** `filestore import --mode`: contents that are linked instead of copied. */
import { randomBytes } from 'node:crypto'
import { appendFile, stat, statfs, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sweep } from '../../src/blobs/sweep.ts'
import { openSweepRows } from '../../src/files/sweep-rows.ts'
import { buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { startServer } from '../support/server.ts'
import { mountReflinkDisk, mountSmallDisk } from '../support/small-disk.ts'
import { expectRefusal, runOn, spawnOn } from './administration.ts'
import { bytesOf, large, openTreeSite, plant, rootOf } from './trees.ts'

const site = openTreeSite()

/** A server with its storage on another disk, and a user. */
async function openOn(disk: string) {
  const server = await startServer({ dataDir: join(disk, 'data') })
  onTestFinished(() => server.close())
  return { server, bob: await buildUser(server, { username: 'bob' }) }
}

test('an import with --mode link makes the file itself the content, and with --mode copy does not', async () => {
  await plant(site.server.dataDir, { 'in/large.bin': large, 'in/small.txt': 'small' })
  const source = join(site.server.dataDir, 'in')
  expect((await site.importFrom(source, '--mode', 'link')).code).toBe(0)
  expect((await stat(join(source, 'large.bin'))).nlink).toBe(2)
  expect((await stat(join(source, 'small.txt'))).nlink).toBe(1)
  const [file] = (await rootOf(site.ann)).filter(({ name }) => name === 'large.bin')
  expect(large.equals(await bytesOf(site.ann, file))).toBe(true)
  await plant(site.at('other'), { 'other.bin': randomBytes(100_000) })
  expect((await site.importFrom(site.at('other'))).code).toBe(0)
  expect((await stat(site.at('other', 'other.bin'))).nlink).toBe(1)
})

test('an import with --mode reflink shares blocks, and a later change to one file does not reach the other', async context => {
  const disk = await mountReflinkDisk(context)
  const { server, bob } = await openOn(disk)
  const bytes = randomBytes(60 * 1024 ** 2)
  await plant(join(disk, 'in'), { 'large.bin': bytes, 'small.txt': 'small' })
  const before = await statfs(disk)
  const args = ['import', join(disk, 'in'), '--user', 'bob', '--mode', 'reflink']
  expect(await runOn(server, args)).toMatchObject({ code: 0, stderr: '' })
  const after = await statfs(disk)
  expect((before.bfree - after.bfree) * after.bsize).toBeLessThan(bytes.length / 2)
  await appendFile(join(disk, 'in', 'large.bin'), 'changed')
  const [file] = (await rootOf(bob)).filter(({ name }) => name === 'large.bin')
  expect(bytes.equals(await bytesOf(bob, file))).toBe(true)
})

test('an import with --mode reflink fails once on a file system without shared blocks, and imports nothing', async context => {
  const disk = await mountSmallDisk(context, '64m')
  onTestFinished(disk.unmount)
  const { server } = await openOn(disk.folder)
  await plant(join(disk.folder, 'in'), { '1.bin': large, '2.bin': randomBytes(50_000), '3.bin': randomBytes(50_000) })
  const args = ['import', join(disk.folder, 'in'), '--user', 'bob', '--mode', 'reflink']
  const refusal = 'this file system does not share blocks between files; --mode copy always works'
  expect(await runOn(server, args)).toEqual({ code: 2, stdout: '', stderr: `error: --mode reflink: ${refusal}` })
  expect(await readHoldings(server)).toMatchObject({ files: 0, blobs: 0, keys: [] })
})

test.for(['link', 'reflink'])(
  'an import with --mode %s across two file systems fails once with the reason',
  async (mode, context) => {
    const disk = await mountSmallDisk(context, '16m')
    onTestFinished(disk.unmount)
    await plant(disk.folder, { '1.bin': large, 'd/2.bin': randomBytes(50_000) })
    const outcome = await site.importFrom(disk.folder, '--mode', mode)
    expectRefusal(outcome, 2, `error: --mode ${mode}: the files and the server's bytes must lie on one file system`)
    expect(outcome.stderr.split('\n')).toHaveLength(1)
    expect(await readHoldings(site.server)).toMatchObject({ blobs: 0, keys: [] })
  },
)

test('a sweep leaves old files alone that an import has linked and not yet recorded', async () => {
  const files = Array.from({ length: 300 }, (_, n) => [`in/${n}.bin`, randomBytes(40_000)] as const)
  await plant(site.server.dataDir, Object.fromEntries(files))
  const source = join(site.server.dataDir, 'in')
  for (const [path] of files) await utimes(join(site.server.dataDir, path), new Date(0), new Date(0))
  const { deps } = site.server
  let isOver = false
  const importing = spawnOn(site.server, ['import', source, '--user', 'ann', '--mode', 'link']).finally(() => {
    isOver = true
  })
  let quarantined = 0
  while (!isOver) quarantined += (await sweep(deps.store, openSweepRows(deps))).quarantined
  expect((await importing).code).toBe(0)
  expect(quarantined).toBe(0)
  expect((await readHoldings(site.server)).keys).toHaveLength(300)
})
