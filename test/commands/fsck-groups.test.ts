/** `fsck --repair` leaves one group of all users, and makes no other group one, whichever column is damaged. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

describe('beside a third group', () => {
  let crew: Group

  beforeEach(async () => {
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    const { id } = await buildGroup(admin, [ben])
    crew = (await readGroups()).find(group => group.id === id) as Group
  })

  const nameOf = (group: Group) => `name = '${group.name}'`

  test('a group that gets the name of another one gets its own name back', async () => {
    await damage(crew, nameOf(staff))
    const found = await runFsck(server)
    expect(found.code).toBe(10)
    expect(found.findings.map(({ detail }) => detail)).toContainEqual(expect.stringContaining("another group's"))
    expect((await runFsck(server, '--repair')).code).toBe(0)
    await repairAll()
    expect(await readGroups()).toEqual([everyone, staff, crew])
  })

  test('one of which no event tells the name is called by its key', async () => {
    await damage(crew, nameOf(staff))
    await spoilRows(server, `DELETE FROM events WHERE action LIKE 'group.%'`)
    await repairAll()
    expect(await readGroups()).toEqual([everyone, staff, { ...crew, name: crew.name_key }])
  })

  const exchange = (column: 'name' | 'name_key', one: Group, other: Group) =>
    spoilRows(
      server,
      `UPDATE user_groups SET ${column} = 'between' WHERE id = ${one.id}`,
      `UPDATE user_groups SET ${column} = '${one[column]}' WHERE id = ${other.id}`,
      `UPDATE user_groups SET ${column} = '${other[column]}' WHERE id = ${one.id}`,
    )

  test.each(['name', 'name_key'] as const)('groups whose %ss are exchanged get their own back', async column => {
    await exchange(column, crew, staff)
    expect((await runFsck(server)).code).toBe(10)
    expect((await runFsck(server, '--repair')).code).toBe(0)
    await repairAll()
    expect(await readGroups()).toEqual([everyone, staff, crew])
  })

  test.each(['name', 'name_key'] as const)(
    'a group whose %s is exchanged with that of the group of all users does not stand for them, without any event',
    async column => {
      await exchange(column, everyone, staff)
      await spoilRows(server, `DELETE FROM events WHERE action LIKE 'group.%'`)
      await repairAll()
      const name = column === 'name' ? staff.name_key : staff.name
      expect(await readGroups()).toEqual([everyone, { ...staff, name }, crew])
      expect(await received()).toEqual(['for all'])
    },
  )

  test('a group whose key is exchanged with that of the group of all users gets its own back', async () => {
    await exchange('name_key', everyone, staff)
    await repairAll()
    expect(await readGroups()).toEqual([everyone, staff, crew])
    expect(await received()).toEqual(['for all'])
  })
})
