/** `filestore restore` checks the free space before it writes anything. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let disk: SmallDisk | undefined

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server)
  for (let count = 0; count < 10; count++) await buildFile(ann, {}, largeContent())
})
afterEach(async () => {
  await disk?.unmount()
  await server.close()
})

describe('a restore', () => {
  test.for(['place', 'file.tar'])(
    'of a %s is refused when too little space would stay free, and leaves nothing',
    async (name, context) => {
      disk = await mountSmallDisk(context, '16m')
      const backup = join(await backups.openFolder(), name)
      await backups.backUp(server, backup)
      const site = { ...(await backups.openSite()), dataDir: join(disk.folder, 'data') }
      const restore = (floor: string) => runOn(site, ['restore', backup], '', { FILESTORE_MIN_FREE_SPACE: floor })
      // The contents have 400 KB.
      await disk.leave(1024 ** 2)
      const outcome = await restore('800KB')
      expectRefusal(outcome, 6, `Too little room on the disk of ${disk.folder}`)
      expect(outcome.stderr).toContain('1MB are free, and 800KB are to stay free')
      expect(await readdir(disk.folder)).toEqual(['ballast'])
      await disk.leave(8 * 1024 ** 2)
      expect((await restore('800KB')).code).toBe(0)
      expect((await backups.readWhole(site)).size).toBe(10)
    },
  )
})
