/** `filestore fsck` tells that the row of a group is lost, and keeps who was in it and what was shared with it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deleteGroup } from '../../src/api/groups.ts'
import { listReceived } from '../../src/api/shares.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFolder, buildGroup, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let admin: TestClient
let ann: BuiltUser
let ben: BuiltUser
let group: { id: number; name: string }
beforeEach(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  ann = await buildUser(server, { username: 'ann' })
  ben = await buildUser(server, { username: 'ben' })
  group = await buildGroup(admin, [ben])
  await buildShare(ann, await buildFolder(ann, 'shown'), { group_id: group.id }, 'view')
})
afterEach(() => server.close())

const lose = (id: number) => spoilRows(server, `DELETE FROM user_groups WHERE id = ${id}`)
const readRows = async () => [
  await server.deps.db.rows('SELECT user_id, group_id FROM group_members ORDER BY user_id'),
  await server.deps.db.rows('SELECT item_id, group_id, level, expires_at FROM shares ORDER BY id'),
]
const told = ({ findings }: Awaited<ReturnType<typeof runFsck>>) =>
  findings.map(({ problem, verdict, repaired, name }) => `${repaired ? 'repaired' : verdict} ${problem} ${name}`)

test('it is named by the event that made it, and its members and shares stay until the loss is accepted', async () => {
  await lose(group.id)
  const before = await readRows()
  const name = `group '${group.name}' (id:${group.id})`
  for (const options of [[], ['--repair'], ['--repair']]) {
    const outcome = await runFsck(server, ...options)
    expect([outcome.code, told(outcome)]).toEqual([11, [`lost group-lost ${name}`, `lost group-lost ${name}`]])
    expect(outcome.findings.map(({ detail }) => detail).join()).toMatch(/group_members.*--accept-lost.*shares/)
  }
  expect(await readRows()).toEqual(before)
  expect((await ben.call(listReceived, {})).shares).toEqual([])
  const accepted = await runFsck(server, '--repair', '--accept-lost')
  expect([accepted.code, told(accepted)]).toEqual([0, [`repaired group-lost ${name}`, `repaired group-lost ${name}`]])
  expect(await readRows()).toEqual([[], []])
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
})

test('the group of all users is made again, and what was shared with it is lost', async () => {
  const [everyone] = await server.deps.db.rows<{ id: number }>("SELECT id FROM user_groups WHERE kind = 'everyone'")
  await buildShare(ann, await buildFolder(ann, 'for all'), { group_id: everyone?.id ?? 0 }, 'view')
  await lose(everyone?.id ?? 0)
  for (const _round of [1, 2]) {
    const outcome = await runFsck(server, '--repair')
    expect([outcome.code, told(outcome)]).toEqual([
      11,
      expect.arrayContaining([`lost group-lost group (id:${everyone?.id})`]),
    ])
  }
  expect((await readRows())[1]).toHaveLength(2)
  expect((await runFsck(server, '--repair', '--accept-lost')).code).toBe(0)
  expect((await readRows())[1]).toHaveLength(1)
})

test("rows of a group that somebody has deleted are nobody's loss", async () => {
  const { id } = await buildGroup(admin, [])
  await admin.call(deleteGroup, { id })
  await spoilRows(server, `INSERT INTO group_members (user_id, group_id, created_at) VALUES (${ben.id}, ${id}, 5)`)
  const outcome = await runFsck(server, '--repair')
  expect([outcome.code, told(outcome)]).toEqual([0, ['repaired dangling-row table group_members']])
})
