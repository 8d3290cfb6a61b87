/** Counters of a storage, and the mark of a system role, that became wrong: backup, `--verify` and `restore` name them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { buildFile, buildFolder, buildRole, buildUser } from '../support/factories.ts'
import { ownerOf } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('wrong counters and a wrong mark of a system role are named, and right ones are not', async () => {
  const [ann, ben, cat] = [await buildUser(server), await buildUser(server), await buildUser(server)]
  for (const user of [ann, ben, cat]) {
    const folder = await buildFolder(user)
    await buildFile(user, { parent_id: folder.id }, 'some bytes')
    await user.call(trashFile, { id: (await buildFile(user)).id })
  }
  const role = await buildRole(server, ['files:read'])
  const { spaceId: bens } = await ownerOf(server, ben)
  const { spaceId: cats } = await ownerOf(server, cat)
  const roles = await server.deps.db.rows<{ id: number; name: string }>('SELECT id, name FROM roles')
  const idOf = (wanted: string) => roles.find(({ name }) => name === wanted)?.id
  await spoilRows(
    server,
    `UPDATE spaces SET storage_used = storage_used + 64 WHERE id = ${bens}`,
    `UPDATE spaces SET item_count = item_count - 1 WHERE id = ${cats}`,
    `UPDATE roles SET is_system = 0 WHERE name = 'user'`,
    `UPDATE roles SET is_system = 1 WHERE name = '${role}'`,
  )
  const told = [
    ...[idOf('user'), idOf(role)].map(id => `roles ${id}: its is_system is not what follows from the rest of it`),
    ...[bens, cats].map(id => `spaces ${id}: its storage_used or item_count is not the sum over its files`),
  ]
  const [folder, site] = [await backups.openFolder(), await backups.openSite()]
  const backup = await runOn(server, ['backup', folder, '--json'])
  const verified = await runOn(server, ['backup', '--verify', folder, '--json'])
  const restored = await runOn(site, ['restore', folder, '--json'])
  expect([backup.code, verified.code, restored.code]).toEqual([1, 1, 1])
  const problemsOf = ({ problems }: { problems: string[] }) =>
    problems.map(problem => problem.replace('; taken as it is', '')).sort()
  expect(problemsOf(JSON.parse(backup.stdout))).toEqual(told)
  expect(problemsOf(JSON.parse(verified.stdout).snapshots[0])).toEqual(told)
  expect(problemsOf(JSON.parse(restored.stdout))).toEqual(told)
  await runFsck(server, '--repair')
  expect(await runOn(server, ['backup', folder])).toMatchObject({ code: 0, stderr: '' })
})
