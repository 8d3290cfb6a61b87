/** The built administration: the code of each command loads and works. All other tests run from the sources. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildFile, buildUser } from '../support/factories.ts'
import { onlyInFolder } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { spawnOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await buildFile(await buildUser(server, { username: 'ann' }), { name: 'a.txt' }, 'bytes')
})
afterAll(() => server.close())

describe('the built administration', () => {
  test.each([
    ['admin user list', 'ann'],
    ['admin role list', 'permissions'],
    ['admin settings list', 'validation_enabled'],
    ['admin group create choir ann', 'Group choir was created'],
    ['admin space create choir --manager ann', 'choir'],
    ['admin share ls', '@choir'],
    ['admin audit', 'a.txt'],
    ['admin key create nightly --user ann --permission files:read', 'files:read'],
    ['admin fields create team --type text', 'team'],
    ['migrate status', '0001-permissions'],
    ['fsck --hash', 'Found   0 lost'],
  ])('runs %s', async (line, words) => {
    const { code, stdout } = await spawnOn(server, line.split(' '))
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(words) })
  })

  test.each([
    ['admin pending list', ''],
    ['admin link ls', ''],
  ])('runs %s, which lists nothing', async (line, stdout) => {
    expect(await spawnOn(server, line.split(' '))).toMatchObject({ code: 0, stdout })
  })

  test('exports a tree and imports it', async () => {
    const folder = await backups.openFolder()
    expect((await spawnOn(server, ['export', folder])).stdout).toContain('ann: 1 file')
    const { code, stdout } = await spawnOn(server, ['import', join(folder, 'ann'), '--user', 'ann'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1 file was there already') })
  })

  test('moves the bytes to another store', async context => {
    onlyInFolder(context)
    const stores = ['--storage-from', join(server.dataDir, 'storage'), '--storage', await backups.openFolder()]
    const { code, stdout } = await spawnOn(server, ['storage', 'move', ...stores])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '0 contents of 0 Bytes moved' })
  })

  test('backs up and restores', async () => {
    const place = join(await backups.openFolder(), 'place')
    const site = await backups.openSite()
    expect((await spawnOn(server, ['backup', place])).code).toBe(0)
    expect((await spawnOn(server, ['backup', '--verify', place])).stdout).toMatch(/whole$/)
    expect((await spawnOn(site, ['restore', place])).code).toBe(0)
    expect((await backups.readWhole(site)).get('a.txt')?.toString()).toBe('bytes')
  })
})
