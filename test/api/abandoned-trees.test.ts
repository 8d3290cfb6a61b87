/** What a deletion for good left half done is deleted by the server, also if its user's deletion is broken off in it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser } from '../../src/api/users.ts'
import { plantEntries } from '../bench/plant.ts'
import { runFsck } from '../commands/fsck-run.ts'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { failAfterWrites } from '../support/failing-writes.ts'
import { runJob } from '../support/jobs.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { countItems, expectTrueCounters, plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const entries = 320

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

const isDone = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  )

/** A user whose folder was deleted for good, but for most of what is in it. */
async function buildHalfDeleted(): Promise<BuiltUser> {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Wide')
  await plant(server, user, (db, owner) => plantEntries(db, owner, folder.id, entries))
  await user.call(trashFile, { id: folder.id })
  expect(await failAfterWrites(server, 2, () => isDone(user.call(deleteFile, { id: folder.id })))).toBe(false)
  expect(await countItems(server, user)).toBeGreaterThan(100)
  return user
}

test.for(['transfer', 'delete'] as const)(
  'a tree goes although the deletion of its user was broken off: files=%s',
  async (files, context) => {
    onlyOneServer('process', context)
    const heir = await buildUser(server)
    const to = files === 'transfer' ? { to: heir.id } : {}
    for (let writes = 1; ; writes++) {
      const user = await buildHalfDeleted()
      const remove = () => isDone(admin.call(deleteUser, { id: user.id, files, ...to }))
      if (await failAfterWrites(server, writes, remove)) break
      await runJob(server.deps, 'abandoned trees')
      expect(await countItems(server, user)).toBe(0)
      await expectTrueCounters(server, user)
      expect(await remove()).toBe(true)
    }
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
    expect(await server.deps.db.rows("SELECT name FROM leases WHERE name LIKE 'tree:%'")).toEqual([])
  },
)
