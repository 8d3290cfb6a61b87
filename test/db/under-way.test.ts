/**
 * The moment between the commit of an upload and its end, when its size counts both in the quota and among uploads in
 * progress; and the moment after a space was deleted.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { charge, findQuota } from '../../src/files/space.ts'
import { openUnderWay } from '../../src/files/under-way.ts'
import { buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const size = 40_000

/** One upload that is charged and not finished, and a second one that began later in the same space. */
async function beginBoth(storageQuota: number) {
  const { db } = server.deps
  const { id } = await buildUser(server, { storageQuota })
  const { id: spaceId } = (await db.row<{ id: number }>('SELECT id FROM spaces WHERE owner_id = $1', [id])) ?? { id: 0 }
  const begin = openUnderWay(db)
  const first = begin(spaceId, async () => 0)
  await first.readQuota()
  await first.take(size)
  let finish = () => {}
  const finished = new Promise<void>(resolve => {
    finish = resolve
  })
  await db.touch(() => charge(db, spaceId, size, 1))
  const stored = first.store(() => finished)
  const second = begin(spaceId, async () => 0)
  await second.readQuota()
  return { second, finish, stored, read: () => findQuota(db, spaceId) }
}

test('an upload that fits after the end of another one waits for that end, and is accepted', async () => {
  const { second, finish, stored, read } = await beginBoth(2 * size)
  let isIn = false
  const taken = second.take(size).then(() => {
    isIn = true
  })
  // Enough reads for the second upload to notice the first; a refusal would have thrown by then.
  for (let count = 0; count < 5; count++) expect(await read()).toMatchObject({ storage_used: size })
  expect(isIn).toBe(false)
  finish()
  await Promise.all([stored, taken])
  await expect(second.take(1)).rejects.toMatchObject({ code: 'quota_exceeded' })
})

test('an upload that cannot fit in any case is refused at once', async () => {
  const { second, finish, stored } = await beginBoth(2 * size)
  await expect(second.take(size + 1)).rejects.toMatchObject({ code: 'quota_exceeded' })
  finish()
  await stored
})

test('the space of a team folder that was deleted meanwhile is not found, which is no sign-out', async () => {
  await expect(findQuota(server.deps.db, 1_000_000)).rejects.toMatchObject({ code: 'not_found' })
})
