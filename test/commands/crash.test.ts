/** A killed server leaves operations half done. The next start removes their remains, or completes them. */
import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyFile, listFiles } from '../../src/api/files.ts'
import { deleteFile, listTrash, trashFile } from '../../src/api/trash.ts'
import { createUser, deleteUser, listUsers } from '../../src/api/users.ts'
import type { Config } from '../../src/config.ts'
import type { Database } from '../../src/db/database.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import { openDeps } from '../../src/server/open-deps.ts'
import { createFirstAdmin } from '../../src/users/first-admin.ts'
import { plantTree } from '../bench/plant.ts'
import { type ServeProcess, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { migrateTest } from '../support/migrated.ts'
import { onlyOn } from '../support/only-on.ts'
import { until } from '../support/planting.ts'
import { onlyNightly } from '../support/rounds.ts'
import { adminPassword, createConfig } from '../support/test-server.ts'

let config: Config
let db: Database
let running: ServeProcess | undefined
/** A folder of some thousand items. */
let folder: number

const startBinary = async (): Promise<TestClient> => {
  const server = await serveBinary(['--data-dir', config.dataDir], { FILESTORE_ADMIN_PASSWORD: adminPassword })
  running = server
  return signIn(server.url, 'admin', adminPassword)
}

beforeEach(async context => {
  // On MariaDB a lease must expire first, which takes two minutes.
  onlyOn('sqlite', context)
  ;({ config } = await createConfig())
  await migrateTest(config.database)
  const deps = await openDeps(config)
  await createFirstAdmin(deps, { keep: async () => undefined, undo: async () => undefined })
  ;({ db } = deps)
  folder = await db.write(systemActor, async record => {
    record.nothing()
    return plantTree(db, { userId: 1, spaceId: 1 }, 'source', 2500)
  })
})
afterEach(async () => {
  if (db === undefined) return
  await running?.stop('SIGKILL')
  await db.close()
  await rm(config.dataDir, { recursive: true, force: true })
})

const countItems = async () => (await db.row<{ count: number }>('SELECT COUNT(*) AS count FROM files'))?.count ?? 0
const readState = () =>
  db.row(
    `SELECT COUNT(*) AS items, SUM(f.size) - s.storage_used AS bytes, COUNT(*) - s.item_count AS miscount,
       (SELECT COUNT(*) FROM leases WHERE name LIKE 'tree:%') AS trees FROM files f JOIN spaces s ON s.id = f.space_id`,
  )

/** Kills the server during a call, which then gets no answer. */
async function killDuring(
  call: Promise<unknown>,
  isHalfDone: (items: number) => boolean,
  count = countItems,
): Promise<void> {
  const ended = expect(call).rejects.toThrow()
  await until(async () => isHalfDone(await count()))
  await running?.stop('SIGKILL')
  await ended
}

test('a copy that a crash cut off disappears after the next start, with its charge to the quota', async context => {
  onlyNightly(context)
  const client = await startBinary()
  await killDuring(client.call(copyFile, { id: folder }), items => items > 3100)
  expect(await countItems()).toBeLessThan(5000)
  const restarted = await startBinary()
  await until(async () => (await countItems()) === 2501)
  await until(async () => (await db.rows("SELECT name FROM leases WHERE name LIKE 'tree:%'")).length === 0)
  expect(await readState()).toEqual({ items: 2501, bytes: 0, miscount: 0, trees: 0 })
  expect((await restarted.call(listFiles, {})).folders.map(({ name }) => name)).toEqual(['source'])
})

test('a permanent deletion that a crash cut off is completed after the next start, and the trash does not show it', async () => {
  const client = await startBinary()
  const kept = (await client.upload('kept', { name: 'kept.txt' })).id
  await client.call(trashFile, { id: folder })
  await killDuring(client.call(deleteFile, { id: folder }), items => items < 2000)
  expect(await countItems()).toBeGreaterThan(1)
  const restarted = await startBinary()
  expect((await restarted.call(listTrash, {})).files).toEqual([])
  await until(async () => (await countItems()) === 1)
  await until(async () => (await db.rows("SELECT name FROM leases WHERE name LIKE 'tree:%'")).length === 0)
  expect(await readState()).toEqual({ items: 1, bytes: 0, miscount: 0, trees: 0 })
  expect((await restarted.call(listFiles, {})).files.map(({ id }) => id)).toEqual([kept])
})

test('a transfer that a crash cut off is completed after the next start, and its user is still there, disabled', async () => {
  const client = await startBinary()
  const email = 'giver@example.org'
  const { user } = await client.call(createUser, { username: 'giver', email, password: adminPassword, role: 'user' })
  const space = await db.row<{ id: number }>('SELECT id FROM spaces WHERE owner_id = $1', [user.id])
  const from = { userId: user.id, spaceId: space?.id ?? 0 }
  await db.write(systemActor, async record => {
    record.nothing()
    await plantTree(db, from, 'given', 1500)
  })
  const left = async () =>
    (await db.row<{ count: number }>('SELECT COUNT(*) AS count FROM files WHERE space_id = $1', [from.spaceId]))
      ?.count ?? 0
  await killDuring(client.call(deleteUser, { id: user.id, files: 'transfer', to: 1 }), items => items < 1300, left)
  expect(await left()).toBeGreaterThan(0)
  const restarted = await startBinary()
  await until(async () => (await left()) === 0)
  expect((await restarted.call(listFiles, {})).folders.map(({ name }) => name)).toEqual(['giver', 'source'])
  const { users } = await restarted.call(listUsers, {})
  expect(users.find(({ id }) => id === user.id)).toMatchObject({ is_active: false })
  await restarted.call(deleteUser, { id: user.id })
})
