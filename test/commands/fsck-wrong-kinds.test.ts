/**
 * `filestore fsck --repair` on a storage that says that it is a team's, and was a user's own, or the other way round: what
 * is in it stays with those who had it.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildTeam, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
let ben: BuiltUser
let own: number
let shown: { id: number }
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  ben = await buildUser(server, { username: 'ben' })
  own = await ownSpace(ann)
  shown = await buildFolder(ann, 'shown')
  await buildShare(ann, shown, ben, 'view')
  await buildLink(ann, shown)
  await buildFile(ann, { name: 'private.txt' })
  await buildFolder(ann, 'private')
})
afterEach(() => server.close())

async function ownSpace({ id }: BuiltUser): Promise<number> {
  const query = "SELECT id FROM spaces WHERE kind = 'personal' AND owner_id = $1"
  return (await server.deps.db.row<{ id: number }>(query, [id]))?.id ?? 0
}

async function addTeam(): Promise<{ id: number; folder_id: number }> {
  const team = await buildTeam(await signIn(server.url, server.adminName, server.adminPassword), ann)
  await buildFile(ann, { name: 'of the team.txt', parent_id: team.folder_id })
  return team
}

const readAll = async () => [
  await server.deps.db.rows('SELECT id, kind, owner_id FROM spaces ORDER BY id'),
  await server.deps.db.rows('SELECT id, space_id, owner_id, parent_id, name FROM files ORDER BY id'),
  await server.deps.db.rows('SELECT item_id, level, expires_at FROM shares ORDER BY id'),
  await server.deps.db.rows('SELECT item_id, is_active FROM links ORDER BY id'),
]

const told = ({ findings }: Awaited<ReturnType<typeof runFsck>>) =>
  findings.map(({ problem, verdict, repaired, name }) => `${repaired ? 'repaired' : verdict} ${problem} ${name}`)

const setKind = (id: number, kind: 'personal' | 'team') =>
  spoilRows(server, `UPDATE spaces SET kind = '${kind}' WHERE id = ${id}`)

async function expectMended(id: number, kind: 'personal' | 'team'): Promise<void> {
  const before = await readAll()
  await setKind(id, kind)
  const found = await runFsck(server)
  expect(found.code).toBe(10)
  expect(told(found).filter(line => line.includes('space-kind'))).toEqual([`repairable space-kind spaces ${id}`])
  const repaired = await runFsck(server, '--repair')
  expect(repaired.code).toBe(0)
  expect(told(repaired)).toContain(`repaired space-kind spaces ${id}`)
  expect(await readAll()).toEqual(before)
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
}

async function expectLost(id: number, kind: 'personal' | 'team'): Promise<void> {
  await setKind(id, kind)
  const before = await readAll()
  for (const options of [[], ['--repair'], ['--repair']]) {
    const outcome = await runFsck(server, ...options)
    expect(outcome.code).toBe(11)
    expect(told(outcome)).toContain(`lost space-kind spaces ${id}`)
  }
  expect(await readAll()).toEqual(before)
}

test("a user's storage that says it is a team's is the user's again", () => expectMended(own, 'team'))

test("a user's storage that says it is a team's is told from the team folder that the same user owns", async () => {
  const team = await addTeam()
  await spoilRows(server, `DELETE FROM shares WHERE item_id = ${team.folder_id}`)
  const before = await readAll()
  await setKind(own, 'team')
  await runFsck(server, '--repair')
  expect(await readAll()).toEqual(before)
})

test.each([
  [
    'is not as old as the user',
    async () => spoilRows(server, `UPDATE spaces SET created_at = created_at + 1 WHERE id = ${own}`),
  ],
  [
    'is as old as the user, who has got another',
    async () =>
      spoilRows(
        server,
        `INSERT INTO spaces (kind, owner_id, storage_used, storage_quota, item_count, revision, created_at)
         VALUES ('personal', ${ann.id}, 0, 1000000, 0, 0, 5)`,
      ),
  ],
  [
    'somebody manages',
    async () => spoilRows(server, `UPDATE shares SET level = 'manage', expires_at = NULL WHERE item_id = ${shown.id}`),
  ],
])("one that says it is a team's, and %s, is lost, and nobody gets what is in it", async (_, change) => {
  await change()
  await expectLost(own, 'team')
})

test("an item without a folder in such a storage does not come into a team's folder", async () => {
  await spoilRows(server, `UPDATE spaces SET created_at = created_at + 1 WHERE id = ${own}`)
  const { id } = await buildFile(ann, { name: 'outside.txt', parent_id: shown.id })
  await spoilRows(server, `UPDATE files SET parent_id = 999999 WHERE id = ${id}`)
  await expectLost(own, 'team')
})

test("a team's storage that says it is a user's is the team's again", async () => {
  await expectMended((await addTeam()).id, 'personal')
})

test("a team's storage that nobody manages, and that says it is a user's, is lost, and its owner gets nothing of it", async () => {
  const team = await addTeam()
  await spoilRows(server, `DELETE FROM shares WHERE item_id = ${team.folder_id}`)
  await expectLost(team.id, 'personal')
})

/** Both columns of one row are another's, as where a disk writes a row over another one. */
const giveAsTeam = (id: number, user: BuiltUser) =>
  spoilRows(server, `UPDATE spaces SET kind = 'team', owner_id = ${user.id} WHERE id = ${id}`)

async function expectKept(id: number): Promise<void> {
  const before = await readAll()
  for (const options of [[], ['--repair'], ['--repair']]) {
    const outcome = await runFsck(server, ...options)
    expect(outcome.code).toBe(11)
    expect(told(outcome)).toContain(`lost space-kind spaces ${id}`)
    expect(outcome.findings.find(({ problem }) => problem === 'space-kind')?.detail).toContain('restore a backup')
    expect(outcome.findings.filter(({ repaired }) => repaired)).toEqual([])
  }
  expect(await readAll()).toEqual(before)
}

test("a user's storage that says it is a team folder of another user is lost, and no reader gets what is in it", async () => {
  await giveAsTeam(own, ben)
  await expectKept(own)
})

test('one whose time is not that of its user is told by the user who owns what is at its top and has no storage', async () => {
  await spoilRows(server, `UPDATE spaces SET created_at = created_at + 1 WHERE id = ${own}`)
  await giveAsTeam(own, ben)
  await expectKept(own)
})

test.each(['has', 'has not'])(
  'one whose user got an empty storage meanwhile is lost where it %s their time',
  async which => {
    const time = which === 'has' ? 'created_at' : 'created_at + 1'
    await spoilRows(
      server,
      `INSERT INTO spaces (kind, owner_id, storage_used, storage_quota, item_count, revision, created_at)
     VALUES ('personal', ${ann.id}, 0, 1000000, 0, 0, 5)`,
      `UPDATE spaces SET created_at = ${time} WHERE id = ${own}`,
    )
    await giveAsTeam(own, ben)
    await expectKept(own)
  },
)

test('one of unreadable kind and another owner is lost, too', async () => {
  await spoilRows(
    server,
    `DELETE FROM files WHERE name <> 'shown' AND space_id = ${own}`,
    `UPDATE spaces SET kind = 'peam', owner_id = ${ben.id} WHERE id = ${own}`,
  )
  for (const options of [[], ['--repair'], ['--repair']]) {
    const outcome = await runFsck(server, ...options)
    expect([outcome.code, told(outcome)]).toEqual([11, expect.arrayContaining([`lost row-value spaces ${own}`])])
  }
})

test("a team's storage that has the time of an earlier manager, who has a storage, is no finding", async () => {
  const team = await addTeam()
  await spoilRows(
    server,
    `UPDATE spaces SET owner_id = ${ben.id}, created_at = (SELECT created_at FROM users WHERE id = ${ann.id})
     WHERE id = ${team.id}`,
  )
  expect(await runFsck(server)).toMatchObject({ code: 0 })
  await spoilRows(server, `DELETE FROM shares WHERE item_id = ${team.folder_id}`)
  expect(await runFsck(server)).toMatchObject({ code: 0 })
})
