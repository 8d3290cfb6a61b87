/**
 * `filestore backup` and `restore` that are killed as soon as they have written something: the next run continues at
 * once.
 */
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serveBinary, startBinary } from '../support/binary.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { buildFailingDisk, unreadable } from '../support/failing-disk.ts'
import { onlyOn } from '../support/only-on.ts'
import { largeContent, until } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { age } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { dataFlags, expectRefusal, runOn, spawnOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let folder: string
let contents: Map<string, Buffer>

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann', storageQuota: Number.MAX_SAFE_INTEGER })
  folder = await backups.openFolder()
  contents = new Map([
    ['small.txt', Buffer.from('small')],
    ['large.bin', largeContent()],
  ])
  for (const [name, content] of contents) await buildFile(ann, { name }, content)
})
afterEach(() => server.close())

/** Starts a command, and kills it as soon as the condition holds. */
async function killOnce(args: readonly string[], holds: () => boolean): Promise<void> {
  const running = startBinary([...args], { env: { FILESTORE_MIN_FREE_SPACE: '0' } })
  let hasEnded = false
  void running.finally(() => {
    hasEnded = true
  })
  await until(async () => hasEnded || holds())
  running.kill('SIGKILL')
  await running
}

const namesIn = (place: string): string[] => (existsSync(place) ? readdirSync(place) : [])
const hasLock = (place: string) => () => namesIn(place).some(name => name.startsWith('lock'))

describe('the lock of a backup folder', { timeout: 240_000 }, () => {
  test.each(['', '\0\0\0\0', 'another host'])('without a process id (%j) and long unchanged is ignored', async text => {
    await mkdir(`${join(folder, 'one.tar')}.unfinished`)
    await backups.backUp(server, join(folder, 'place'))
    for (const place of ['one.tar.unfinished', 'place']) {
      const lock = join(folder, place, 'lock')
      await writeFile(lock, text)
      await age(lock)
    }
    await backups.backUp(server, join(folder, 'one.tar'))
    await backups.backUp(server, join(folder, 'place'))
    await backups.restore(join(folder, 'place'), await backups.openSite())
    expect((await readdir(folder)).sort()).toEqual(['one.tar', 'place'])
  })

  test.for([
    ['is empty', '', 0o600],
    ['says something else', 'another host', 0o600],
    ['cannot be read', `${process.pid} ${hostname()}`, unreadable],
  ] as const)('that %s and is new refuses other backups', async ([_what, text, mode], context) => {
    const env = await buildFailingDisk(context)
    const place = join(folder, 'place')
    await backups.backUp(server, place)
    const lock = join(place, 'lock')
    await writeFile(lock, text)
    await chmod(lock, mode)
    expectRefusal(await spawnOn(server, ['backup', place], '', env), 5, 'wait until it has ended')
    expect(existsSync(lock)).toBe(true)
    await age(lock)
    expect(await spawnOn(server, ['backup', place], '', env)).toMatchObject({ code: 0 })
  })

  test('is written whole or not at all, and the lock of a killed run is ignored', async () => {
    const place = join(folder, 'place')
    for (let round = 0; round < 4; round++) {
      await killOnce(['backup', place, ...dataFlags(server)], hasLock(place))
      const lock = join(place, 'lock')
      if (existsSync(lock)) expect(await readFile(lock, 'utf8')).toMatch(/^\d+ \S+$/)
    }
    await backups.backUp(server, place)
    expect((await runOn(server, ['backup', '--verify', place])).code).toBe(0)
  })
})

describe('a restore', { timeout: 240_000 }, () => {
  test('that was killed after making its database leaves none that a server would start on', async context => {
    onlyOn('sqlite', context)
    await backups.backUp(server, folder)
    const site = await backups.openSite()
    const file = join(site.dataDir, 'filestore.db')
    await killOnce(['restore', folder, ...dataFlags(site)], () => existsSync(file))
    await expect(serveBinary(dataFlags(site))).rejects.toThrow('did not come to its end')
    await backups.restore(folder, site)
    expect(await backups.readWhole(site)).toEqual(contents)
    expect((await readdir(site.dataDir)).sort()).toEqual(['filestore.db', 'storage'])
  })

  test('that was killed several times is finished by the next run', async () => {
    await backups.backUp(server, folder)
    const site = await backups.openSite()
    const isThere = (name: string) => namesIn(site.dataDir).some(found => found.startsWith(name))
    const points = [
      () => isThere('storage'),
      () => isThere('filestore.db'),
      () => isThere('filestore.db-wal'),
      () => namesIn(join(site.dataDir, 'storage', 'blobs')).length > 0,
    ]
    for (const holds of points) await killOnce(['restore', folder, ...dataFlags(site)], holds)
    if ((await runOn(site, ['admin', 'user', 'list'])).code !== 0) await backups.restore(folder, site)
    expect(await backups.readWhole(site)).toEqual(contents)
    expect((await runOn(site, ['fsck', '--hash'])).code).toBe(0)
  })
})
