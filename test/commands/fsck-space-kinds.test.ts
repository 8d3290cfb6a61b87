/** `filestore fsck --repair` on a storage of which the kind cannot be read: a user's own one, or that of a team folder. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildTeam, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
let team: { id: number; folder_id: number }
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  team = await buildTeam(admin, ann)
  await buildFile(ann, { name: 'of the team.txt', parent_id: team.folder_id })
  await buildFile(ann, { name: 'private.txt' })
})
afterEach(() => server.close())

const readAll = async () => [
  await server.deps.db.rows('SELECT id, kind, owner_id FROM spaces ORDER BY id'),
  await server.deps.db.rows('SELECT id, space_id, owner_id FROM files ORDER BY id'),
  await server.deps.db.rows('SELECT item_id, level, expires_at FROM shares ORDER BY id'),
]

const told = ({ findings }: Awaited<ReturnType<typeof runFsck>>) =>
  findings.map(({ problem, verdict, repaired, name }) => `${repaired ? 'repaired' : verdict} ${problem} ${name}`)

const spoilTeam = () => spoilRows(server, `UPDATE spaces SET kind = 'peam' WHERE id = ${team.id}`)
const endManagers = () => spoilRows(server, `DELETE FROM shares WHERE item_id = ${team.folder_id}`)

test.each([
  ['that managers have by shares', async () => {}],
  ['that nobody manages', endManagers],
])('a team folder %s stays one, with all that is in it', async (_, change) => {
  await change()
  const before = await readAll()
  await spoilTeam()
  expect(told(await runFsck(server))).toContain(`repairable row-value spaces ${team.id}`)
  expect(told(await runFsck(server, '--repair'))).toContain(`repaired row-value spaces ${team.id}`)
  expect(await readAll()).toEqual(before)
  expect((await runFsck(server)).code).toBe(0)
})

test("a user's storage stays one, and the user gets no other", async () => {
  const before = await readAll()
  await spoilRows(server, `UPDATE spaces SET kind = 'qersonal' WHERE kind = 'personal' AND owner_id = ${ann.id}`)
  expect((await runFsck(server, '--repair')).code).toBe(0)
  expect(await readAll()).toEqual(before)
})

test.each([
  [
    'of a user without a storage is managed by shares',
    () =>
      spoilRows(
        server,
        `DELETE FROM files WHERE name = 'private.txt'`,
        `DELETE FROM spaces WHERE id <> ${team.id} AND owner_id = ${ann.id}`,
      ),
  ],
  [
    'is as old as its user, who has another',
    () =>
      spoilRows(
        server,
        `UPDATE spaces SET created_at = (SELECT created_at FROM users WHERE id = ${ann.id}) WHERE id = ${team.id}`,
      ),
  ],
])('one that %s is named as lost, and nothing changes with it', async (_, change) => {
  await change()
  await runFsck(server)
  await spoilTeam()
  const before = await readAll()
  for (const _round of [1, 2]) {
    const outcome = await runFsck(server, '--repair')
    expect(outcome.code).toBe(11)
    expect(told(outcome)).toContain(`lost row-value spaces ${team.id}`)
  }
  expect(await readAll()).toEqual(before)
})
