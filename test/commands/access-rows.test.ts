/**
 * Rows of members of the group Everyone, and keys for one folder that could not have been made so: `fsck`, `backup`,
 * `--verify` and `restore` name them; and fsck notes a team folder without a manager.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listApiKeys } from '../../src/api/keys.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildTeam,
  buildUser,
  disableUser,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let admin: TestClient
let ann: BuiltUser
/** Keys for one folder: a sound one, one for a file, one with another storage, one with a permission of no folder. */
let keys: number[]

beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  ann = await buildUser(server, { username: 'ann' })
  const leaver = await buildUser(server)
  const folder = await buildFolder(ann, 'Plans')
  const file = await buildFile(ann, { name: 'plan.txt', parent_id: folder.id })
  keys = []
  for (let at = 0; at < 4; at++) {
    keys.push((await buildKey(server, ann, ['files:read'], 'script', { scope_id: folder.id })).id)
  }
  await buildTeam(admin, ann, 'Accounts')
  await buildTeam(admin, leaver, 'Left behind')
  await disableUser(server, leaver.id)
  const other = `SELECT id FROM spaces WHERE kind = 'personal' AND owner_id = ${leaver.id}`
  await spoilRows(
    server,
    `INSERT INTO group_members (user_id, group_id) SELECT ${ann.id}, id FROM user_groups WHERE name_key = 'everyone'`,
    `UPDATE api_keys SET scope_item_id = ${file.id} WHERE id = ${keys[1]}`,
    `UPDATE api_keys SET scope_space_id = (${other}) WHERE id = ${keys[2]}`,
    `UPDATE api_keys SET permissions = '["files:read","api-keys:manage"]' WHERE id = ${keys[3]}`,
  )
})
afterAll(() => server.close())

const note = {
  verdict: 'ok',
  problem: 'team-unmanaged',
  name: expect.stringContaining('Left behind'),
  detail: 'nobody manages it, or only for a time',
}

test('backup, --verify and restore name members of Everyone and keys that are for no folder', async () => {
  const [folder, site] = [await backups.openFolder(), await backups.openSite()]
  const backup = await runOn(server, ['backup', folder, '--json'])
  const verified = await runOn(server, ['backup', '--verify', folder, '--json'])
  const restored = await runOn(site, ['restore', folder, '--json'])
  expect([backup.code, verified.code, restored.code]).toEqual([1, 1, 1])
  const [snapshot] = JSON.parse(verified.stdout).snapshots
  for (const { problems } of [JSON.parse(backup.stdout), snapshot, JSON.parse(restored.stdout)]) {
    // A restore adds what became of a row.
    const told = problems.map((problem: string) => problem.replace(/; taken as it is$/, ''))
    expect([...new Set(told)].sort()).toEqual([
      `api_keys ${keys[1]}: it is a key for one folder, and names a file`,
      `api_keys ${keys[2]}: it is a key for one folder, and names another storage than that of the folder`,
      `api_keys ${keys[3]}: its permissions cannot be read, or are some that a key for one folder cannot have`,
      expect.stringMatching(/^user_groups \d+: it stands for all users, and rows say who its members are$/),
    ])
  }
})

test('fsck removes members of Everyone, disables such keys, and notes a team folder that nobody manages', async () => {
  const titles = ({ findings }: Awaited<ReturnType<typeof runFsck>>) =>
    findings.filter(({ verdict }) => verdict !== 'ok').map(({ problem, name }) => [problem, name])
  const wrong = [
    ['row-value', expect.stringMatching(`^api_keys ${keys[3]} `)],
    ['group-members', 'group Everyone'],
    ['key-scope', `api_keys ${keys[1]} of 'ann'`],
    ['key-scope', `api_keys ${keys[2]} of 'ann'`],
  ]
  expect(titles(await runFsck(server))).toEqual(wrong)
  expect(titles(await runFsck(server, '--repair'))).toEqual(wrong)
  const after = await runFsck(server)
  expect(after).toMatchObject({ code: 0, findings: [note] })
  expect(after.findings).toHaveLength(1)
  const { api_keys } = await ann.call(listApiKeys, {})
  expect(api_keys.filter(({ is_active }) => is_active).map(({ id }) => id)).toEqual([keys[0]])
  expect(api_keys.find(({ id }) => id === keys[3])?.permissions).toEqual(['files:read'])
})
