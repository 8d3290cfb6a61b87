/** A transfer that was left half done is finished by the server, so that nobody is locked out of what is shared. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { deleteUser, listUsers } from '../../src/api/users.ts'
import { finishAbandonedTransfers, transferLease } from '../../src/files/abandoned-transfers.ts'
import { plantEntries } from '../bench/plant.ts'
import { runFsck } from '../commands/fsck-run.ts'
import { type BuiltUser, buildFolder, buildShare, buildUser, disableUser } from '../support/factories.ts'
import { runJob } from '../support/jobs.ts'
import { onlyOn } from '../support/only-on.ts'
import { countItems, expectTrueCounters, ownerOf, plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { breakOff } from '../support/transfer.ts'

let server: TestServer
let admin: BuiltUser
let giver: BuiltUser
let heir: BuiltUser
let anna: BuiltUser
/** A folder that is shared with Anna. */
let wide: { id: number }
const entries = 320

beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

beforeEach(async () => {
  ;[giver, heir, anna] = [await buildUser(server), await buildUser(server), await buildUser(server)]
  wide = await buildFolder(giver, 'Wide')
  await plant(server, giver, (db, owner) => plantEntries(db, owner, wide.id, entries))
  await buildShare(giver, wide, anna, 'edit')
})

async function stopHalfway(): Promise<void> {
  expect(await breakOff(server, giver, heir)).toBe(true)
  await disableUser(server, giver.id)
}

const giveTo = ({ id }: BuiltUser, by = admin) => by.call(deleteUser, { id: giver.id, files: 'transfer', to: id })
const runOnce = () => finishAbandonedTransfers(server.deps, new AbortController().signal)
/** What Anna finds in her folder: the number of items, or a status. */
const look = () =>
  anna.call(listFiles, { parent_id: wide.id }).then(
    ({ total }) => total,
    ({ status }) => status,
  )
const leave = async () => server.deps.leases.abandon(transferLease((await ownerOf(server, giver)).spaceId))
const namesAt = async (user: BuiltUser) => (await user.call(listFiles, {})).folders.map(({ name }) => name)
const findGiver = async () => (await admin.call(listUsers, {})).users.find(({ id }) => id === giver.id)

/** Does something while a change of a user comes with each item that moves out of the giver's space. */
async function during<T>(change: string, { id }: BuiltUser, work: () => Promise<T>): Promise<T> {
  const { spaceId } = await ownerOf(server, giver)
  await spoilRows(
    server,
    `CREATE TRIGGER changes_with_slice AFTER UPDATE ON files FOR EACH ROW WHEN OLD.space_id = ${spaceId}
     BEGIN UPDATE users SET ${change} WHERE id = ${id}; END`,
  )
  return work().finally(() => spoilRows(server, 'DROP TRIGGER changes_with_slice'))
}

describe('a transfer that its server left half done', () => {
  test('is finished by a job that also runs at the start; the user stays, disabled, and can then be deleted', async () => {
    await stopHalfway()
    expect(await look()).toBe(503)
    await leave()
    await runJob(server.deps, 'abandoned transfers')
    expect(await look()).toBe(entries)
    expect(await namesAt(heir)).toEqual([giver.username])
    expect(await findGiver()).toMatchObject({ is_active: false })
    expect(await countItems(server, giver)).toBe(0)
    for (const one of [giver, heir]) await expectTrueCounters(server, one)
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
    await giveTo(heir)
    expect(await findGiver()).toBeUndefined()
    expect(await namesAt(heir)).toEqual([giver.username])
  })

  test('is left alone as long as a server is at work', async () => {
    await stopHalfway()
    await runOnce()
    expect(await look()).toBe(503)
    await giveTo(heir)
    expect(await look()).toBe(entries)
  })

  test('is ended if its receiver is disabled, and the deletion goes on with another one', async () => {
    await stopHalfway()
    await disableUser(server, heir.id)
    await leave()
    await runOnce()
    const left = await countItems(server, giver)
    expect(left).toBeGreaterThan(100)
    expect(await look()).toBe(left - 1)
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
    const next = await buildUser(server)
    await giveTo(next)
    expect(await countItems(server, next)).toBe(left + 1)
    for (const one of [heir, next]) await expectTrueCounters(server, one)
  })

  test('is not begun anew if the user is enabled again meanwhile', async context => {
    onlyOn('sqlite', context)
    await stopHalfway()
    await leave()
    await during('is_active = 1', giver, runOnce)
    const left = await countItems(server, giver)
    expect(left).toBeGreaterThan(100)
    await runOnce()
    expect(await countItems(server, giver)).toBe(left)
    expect(await look()).toBe(left - 1)
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
    for (const one of [giver, heir]) await expectTrueCounters(server, one)
  })
})

test('a transfer whose administrator loses the right is finished by the server', async context => {
  onlyOn('sqlite', context)
  const deputy = await buildUser(server, { role: 'admin' })
  const demotion = "role_id = (SELECT id FROM roles WHERE name = 'user')"
  const ended = await during(demotion, deputy, () => giveTo(heir, deputy).catch(({ status }) => status))
  expect([ended, await look()]).toEqual([403, 503])
  await runOnce()
  expect(await look()).toBe(entries)
})
