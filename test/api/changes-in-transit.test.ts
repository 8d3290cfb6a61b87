/** The feed of changes tells its readers to begin anew around a transfer, whose items it leaves out. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listChanges } from '../../src/api/changes.ts'
import { listFiles, renameFile } from '../../src/api/files.ts'
import { deleteUser, updateUser } from '../../src/api/users.ts'
import { plantTree } from '../bench/plant.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildKey,
  buildShare,
  buildUser,
  disableUser,
} from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { breakOff } from '../support/transfer.ts'

let server: TestServer
let admin: TestClient
let giver: BuiltUser
let heir: BuiltUser
let anna: BuiltUser
/** A folder that is shared with Anna, and one in it; beside it are many items. */
let shared: { id: number }
let inner: { id: number }

beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

beforeEach(async () => {
  ;[giver, heir, anna] = [await buildUser(server), await buildUser(server), await buildUser(server)]
  shared = await buildFolder(giver)
  inner = await buildFolder(giver, 'inner', shared.id)
  await buildShare(giver, shared, anna, 'edit')
  await plant(server, giver, (db, owner) => plantTree(db, owner, 'Wide', 240))
  // Anna follows the heir's space already.
  await buildShare(heir, await buildFolder(heir), anna, 'view')
})

/** Leaves the transfer in the middle, as between two of its slices. */
async function stopHalfway(): Promise<void> {
  expect(await breakOff(server, giver, heir)).toBe(true)
  await disableUser(server, giver.id)
}

const end = async (client: TestClient): Promise<string> => (await client.call(listChanges, {})).cursor
const since = (client: TestClient, cursor: string) => client.call(listChanges, { since: cursor })
const begunAnew = { changes: [], reset: true }

test('readers begin anew when a transfer begins, and when the user is enabled again', async () => {
  const cursor = await end(anna)
  await giver.call(renameFile, { id: shared.id, name: 'renamed' })
  await stopHalfway()
  const meanwhile = await since(anna, cursor)
  expect(meanwhile).toMatchObject(begunAnew)
  await admin.call(updateUser, { id: giver.id, is_active: true })
  const after = await since(anna, meanwhile.cursor)
  expect(after).toMatchObject(begunAnew)
  expect(await since(anna, after.cursor)).toMatchObject({ changes: [], reset: false })
})

test('readers begin anew when a transfer ends, also by a key for a folder in it, or after a longer silence', async () => {
  const key = await buildKey(server, anna, ['files:read'], 'script', { scope_id: inner.id })
  const readers = [anna, key]
  const [before, cursors] = [await Promise.all(readers.map(end)), [] as string[]]
  await stopHalfway()
  for (const [index, reader] of readers.entries()) {
    const meanwhile = await since(reader, before[index] ?? '')
    expect(meanwhile).toMatchObject(begunAnew)
    cursors.push(meanwhile.cursor)
  }
  await admin.call(deleteUser, { id: giver.id, files: 'transfer', to: heir.id })
  for (const [index, reader] of readers.entries()) {
    expect(await since(reader, cursors[index] ?? '')).toMatchObject(begunAnew)
    expect(await since(reader, before[index] ?? '')).toMatchObject(begunAnew)
  }
  expect((await anna.call(listFiles, { parent_id: shared.id })).folders.map(({ id }) => id)).toEqual([inner.id])
})

test('others are not told to begin anew', async () => {
  const stranger = await buildUser(server)
  await buildShare(stranger, await buildFile(stranger), heir, 'view')
  const cursor = await end(stranger)
  await stopHalfway()
  expect(await since(stranger, cursor)).toMatchObject({ reset: false })
})
