/** Users who are changed while the deletion of one of them runs: it stops where a new call would be refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { permissionKeys } from '../../src/api/permissions.ts'
import { deleteUser, listUsers, type User, updateUser } from '../../src/api/users.ts'
import { openLeases } from '../../src/db/leases.ts'
import { transferLease } from '../../src/files/abandoned-transfers.ts'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import { runFsck } from '../commands/fsck-run.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildRole, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { countItems, expectTrueCounters, ownerOf, plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let user: BuiltUser
let receiver: BuiltUser

beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

beforeEach(async () => {
  user = await buildUser(server)
  receiver = await buildUser(server)
  await plant(server, user, async (db, owner) =>
    plantEntries(db, owner, await plantFolder(db, owner, null, 'Wide'), 320),
  )
})

const findUser = async ({ id }: BuiltUser): Promise<User | undefined> =>
  (await admin.call(listUsers, {})).users.find(found => found.id === id)

/** Deletes the user; `change` happens to `changed` with the first items that are deleted or transferred. */
async function deleteDuring(
  deputy: BuiltUser,
  files: 'delete' | 'transfer',
  changed: BuiltUser,
  change: string,
): Promise<unknown> {
  const { spaceId } = await ownerOf(server, user)
  // As long as another process has the lease, no job goes on with what stops.
  await openLeases(server.deps.db).take(transferLease(spaceId))
  await spoilRows(
    server,
    `CREATE TRIGGER changes_with_slice AFTER ${files === 'delete' ? 'DELETE' : 'UPDATE'} ON files FOR EACH ROW
     BEGIN UPDATE users SET ${change} WHERE id = ${changed.id} AND OLD.space_id = ${spaceId}; END`,
  )
  const to = files === 'transfer' ? receiver.id : undefined
  const ended = await deputy.call(deleteUser, { id: user.id, files, to }).catch(error => error)
  await spoilRows(server, 'DROP TRIGGER changes_with_slice')
  return ended
}

describe('a deletion stops', () => {
  const promotion = "role_id = (SELECT id FROM roles WHERE name = 'admin')"

  test.for([
    ['is enabled again', 'delete', 'is_active = 1', 409, 'protected'],
    ['gets permissions that the deleting user lacks', 'delete', promotion, 403, 'forbidden'],
    ['gets permissions that the deleting user lacks', 'transfer', promotion, 403, 'forbidden'],
  ] as const)('when the user %s: %s', async ([_what, files, change, status, code], context) => {
    onlyOn('sqlite', context)
    const role = await buildRole(
      server,
      permissionKeys.filter(key => key !== 'roles:manage'),
    )
    const deputy = await buildUser(server, { role })
    expect(await deleteDuring(deputy, files, user, change)).toMatchObject({ status, code })
    expect(await findUser(user)).toBeDefined()
    expect(await countItems(server, user)).toBeGreaterThan(100)
    const to = files === 'transfer' ? receiver.id : undefined
    await admin.call(deleteUser, { id: user.id, files, to })
    expect(await findUser(user)).toBeUndefined()
    await expectTrueCounters(server, receiver)
  })

  test('when the receiver of the files is disabled, and goes on with another receiver', async context => {
    onlyOn('sqlite', context)
    const ended = await deleteDuring(admin, 'transfer', receiver, 'is_active = 0')
    expect(ended).toMatchObject({ status: 400, code: 'invalid_input', fields: { to: expect.any(String) } })
    expect(await findUser(user)).toMatchObject({ is_active: false })
    const left = await countItems(server, user)
    expect(left).toBeGreaterThan(100)
    // The deletion of the receiver takes only what has arrived.
    await admin.call(deleteUser, { id: receiver.id, files: 'delete' })
    const second = await buildUser(server)
    await admin.call(deleteUser, { id: user.id, files: 'transfer', to: second.id })
    expect(await findUser(user)).toBeUndefined()
    // Two more are the folders in which the rest was to come, and comes.
    expect(await countItems(server, second)).toBe(left + 2)
    await expectTrueCounters(server, second)
  })
})

test('a user who is enabled again in the middle of a transfer keeps what is left, and all of it is whole', async context => {
  onlyOn('sqlite', context)
  await deleteDuring(admin, 'transfer', receiver, 'is_active = 0')
  const total = 321
  const left = await countItems(server, user)
  expect(left).toBeGreaterThan(100)
  expect(left).toBeLessThan(total)
  await admin.call(updateUser, { id: receiver.id, is_active: true })
  await admin.call(updateUser, { id: user.id, is_active: true })
  // One more is the folder in which they have come.
  expect([await countItems(server, user), await countItems(server, receiver)]).toEqual([left, total - left + 1])
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  const again = await signIn(server.url, user.username, user.password)
  expect((await again.call(listFiles, {})).folders.map(({ name }) => name)).toEqual(['Wide'])
  const received = await signIn(server.url, receiver.username, receiver.password)
  expect((await received.call(listFiles, {})).folders.map(({ name }) => name)).toContain(user.username)
  const [folder] = (await received.call(listFiles, {})).folders
  // What has lost its folder is in the folder for it, not among the receiver's own.
  expect((await received.call(listFiles, {})).files).toEqual([])
  expect((await received.call(listFiles, { parent_id: folder?.id ?? 0 })).total).toBe(total - left)
  await expectTrueCounters(server, user)
  await expectTrueCounters(server, receiver)
})

test('a user who is enabled again after another was to get the rest leaves each receiver what has come', async context => {
  onlyOn('sqlite', context)
  await deleteDuring(admin, 'transfer', receiver, 'is_active = 0')
  const first = receiver
  receiver = await buildUser(server)
  await deleteDuring(admin, 'transfer', receiver, 'is_active = 0')
  for (const { id } of [first, receiver, user]) await admin.call(updateUser, { id, is_active: true })
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  expect(await countItems(server, receiver)).toBeGreaterThan(100)
  for (const one of [user, first, receiver]) await expectTrueCounters(server, one)
})

test('a user who is enabled again after the receiver was deleted leaves the next receiver what has come', async context => {
  onlyOn('sqlite', context)
  await deleteDuring(admin, 'transfer', receiver, 'is_active = 0')
  const next = await buildUser(server)
  await admin.call(deleteUser, { id: receiver.id, files: 'transfer', to: next.id })
  await admin.call(updateUser, { id: user.id, is_active: true })
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  expect((await (await signIn(server.url, next.username, next.password)).call(listFiles, {})).total).toBeGreaterThan(1)
  for (const one of [user, next]) await expectTrueCounters(server, one)
})
