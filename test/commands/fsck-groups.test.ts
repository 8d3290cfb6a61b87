/** `fsck --repair` leaves one group of all users, and makes no other group one, whichever column is damaged. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listReceived } from '../../src/api/shares.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFolder, buildGroup, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

interface Group {
  id: number
  name: string
  name_key: string
  kind: string
}

let server: TestServer
let ben: BuiltUser
/** The group of all users, and another one without Ben. */
let everyone: Group
let staff: Group

const readGroups = () => server.deps.db.rows<Group>('SELECT id, name, name_key, kind FROM user_groups ORDER BY id')

beforeEach(async () => {
  server = await startServer()
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const ann = await buildUser(server)
  ben = await buildUser(server)
  const { id } = await buildGroup(admin, [ann])
  const groups = await readGroups()
  everyone = groups.find(group => group.kind === 'everyone') as Group
  staff = groups.find(group => group.id === id) as Group
  await buildShare(ann, await buildFolder(ann, 'for all'), { group_id: everyone.id }, 'view')
  await buildShare(ann, await buildFolder(ann, 'for staff'), { group_id: id }, 'view')
})
afterEach(() => server.close())

const damage = (group: Group, columns: string) =>
  spoilRows(server, `UPDATE user_groups SET ${columns} WHERE id = ${group.id}`)
const received = async () => (await ben.call(listReceived, {})).shares.map(({ item }) => item.name)

async function repairAll(): Promise<void> {
  await runFsck(server, '--repair')
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
}

test('a group that gets the name of the group of all users gets its own name back', async () => {
  await damage(staff, "name = 'Everyone'")
  await repairAll()
  expect(await readGroups()).toEqual([everyone, staff])
  expect(await received()).toEqual(['for all'])
})

test('a group whose name, but for a space, is that of the group of all users gets its own name back', async () => {
  await damage(staff, "name = 'everyone '")
  await repairAll()
  expect(await readGroups()).toEqual([everyone, staff])
})

test('a group of which nothing tells its own name any more is called by its id', async () => {
  await damage(staff, "name = 'Everyone', name_key = 'a\u0001b'")
  await repairAll()
  const name = `Group ${staff.id}`
  expect(await readGroups()).toEqual([everyone, { ...staff, name, name_key: name.toLowerCase() }])
  expect(await received()).toEqual(['for all'])
})

test('a group that is said to stand for all users does not', async () => {
  await damage(staff, "kind = 'everyone'")
  await repairAll()
  expect(await readGroups()).toEqual([everyone, staff])
})

test('a group that has the name of all users and is said to stand for them does not, beside that group', async () => {
  await damage(staff, "name = 'Everyone', kind = 'everyone'")
  await repairAll()
  expect(await readGroups()).toEqual([everyone, staff])
  expect(await received()).toEqual(['for all'])
})

test.each(["name = 'Everyonf'", "name_key = 'everyonf'", "kind = 'everyonf'"])(
  'the group of all users stays so with %s',
  async columns => {
    await damage(everyone, columns)
    await repairAll()
    expect(await readGroups()).toEqual([everyone, staff])
    expect(await received()).toEqual(['for all'])
  },
)
