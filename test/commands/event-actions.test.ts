/** Events with an action that filestore does not have: fsck, backup, `--verify` and `restore` name them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
/** The ids of an event with one changed character, and of one with an action that never was. */
let ids: number[]

beforeAll(async () => {
  server = await startServer()
  ann = await buildUser(server)
  for (const name of ['a.txt', 'b.txt']) await buildFile(ann, { name })
  const rows = await server.deps.db.rows<{ id: number }>(
    "SELECT id FROM events WHERE action = 'file.upload' AND actor_id = $1 ORDER BY id",
    [ann.id],
  )
  ids = rows.map(({ id }) => id)
  await spoilRows(
    server,
    `UPDATE events SET action = 'file.uploat' WHERE id = ${ids[0]}`,
    `UPDATE events SET action = 'files.borrow' WHERE id = ${ids[1]}`,
  )
})
afterAll(() => server.close())

const detail = 'its action is none of those that there are'

test('backup, --verify and restore name an unknown action', async () => {
  const [folder, site] = [await backups.openFolder(), await backups.openSite()]
  const backup = await runOn(server, ['backup', folder, '--json'])
  const verified = await runOn(server, ['backup', '--verify', folder, '--json'])
  const restored = await runOn(site, ['restore', folder, '--json'])
  expect([backup.code, verified.code, restored.code]).toEqual([1, 1, 1])
  const told = ids.map(id => `events ${id}: ${detail}`)
  expect(JSON.parse(backup.stdout).problems).toEqual(told)
  expect(JSON.parse(verified.stdout).snapshots).toMatchObject([{ problems: told }])
  expect(JSON.parse(restored.stdout).problems).toEqual(told.map(problem => `${problem}; taken as it is`))
})

test('fsck names an unknown action, and gives the known one of which a character has changed', async () => {
  const found = ids.map(id => expect.objectContaining({ verdict: 'repairable', name: `events ${id}`, detail }))
  expect((await runFsck(server)).findings).toEqual(found)
  await runFsck(server, '--repair')
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  const rows = await server.deps.db.rows(`SELECT action FROM events WHERE id IN (${ids.join()}) ORDER BY id`)
  expect(rows).toEqual([{ action: 'file.upload' }, { action: 'event.unreadable' }])
})
