/** The audit log records every backup, restore, export and import from the server's own terminal. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
beforeAll(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  await buildFile(ann, { name: 'a.txt' }, 'content')
})
afterAll(() => server.close())

async function toldOn(site: backups.Site, action: string) {
  const { code, stdout } = await runOn(site, ['admin', 'audit', '--action', action, '--json'])
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

test('a backup and a restore are recorded with snapshot and path', { timeout: 240_000 }, async () => {
  const folder = await backups.openFolder()
  for (const place of [join(folder, 'place'), join(folder, 'one.tar')]) {
    const { snapshot } = await backups.backUp(server, place)
    const [event] = await toldOn(server, 'backup.create')
    expect(event).toMatchObject({ actor_id: null, actor_name: 'terminal', detail: { snapshot, place, items: 1 } })
    const site = await backups.openSite()
    await backups.restore(place, site)
    expect(await toldOn(site, 'backup.restore')).toMatchObject([
      { actor_name: 'terminal', detail: { snapshot, place } },
    ])
  }
})

test('an export and an import are recorded with user and folder', { timeout: 240_000 }, async () => {
  const folder = await backups.openFolder()
  expect((await runOn(server, ['export', folder, '--user', 'ann'])).code).toBe(0)
  expect(await toldOn(server, 'user.export')).toMatchObject([
    { actor_name: 'terminal', item_id: ann.id, detail: { username: 'ann', files: 1, bytes: 7 } },
  ])
  expect((await runOn(server, ['import', join(folder, 'ann'), '--user', 'ann', '--dry-run'])).code).toBe(0)
  expect(await toldOn(server, 'user.import')).toEqual([])
  expect((await runOn(server, ['import', join(folder, 'ann'), '--user', 'ann'])).code).toBe(0)
  expect(await toldOn(server, 'user.import')).toMatchObject([
    { item_id: ann.id, detail: { username: 'ann', folder: join(folder, 'ann'), files: 0 } },
  ])
})
