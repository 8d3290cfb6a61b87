/** What an administrator sees about the server itself. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { getSystem } from '../../src/api/system.ts'
import { trashFile } from '../../src/api/trash.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { areSeveral } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

test('the system call returns the version, the database, and the free space', async () => {
  const { nodes, ...system } = await admin.call(getSystem, {})
  expect(system).toEqual({
    version: manifest.version,
    database: server.databaseFlag === undefined ? 'sqlite' : 'mariadb',
    free_bytes: expect.any(Number),
    min_free_bytes: 0,
    full_disk: null,
    counts: { users: 1, files: 0, folders: 0, pending: 0, bytes: 0 },
  })
  expect(nodes.map(({ version }) => version)).toEqual(areSeveral ? [manifest.version, manifest.version] : [])
  expect(system.free_bytes).toBeGreaterThan(0)
})

test('the system call counts the files and folders of all users, trashed ones included, and the files that wait for approval', async () => {
  const { db } = server.deps
  const user = await buildUser(server)
  const folder = await buildFolder(user)
  const files = [
    await buildFile(user, { parent_id: folder.id }, '12345'),
    await buildFile(user, {}, '12345'),
    await buildFile(admin, {}, Buffer.alloc(100_000)),
  ]
  for (const { id } of files.slice(1)) {
    await db.touch(() => db.change("UPDATE files SET validation_status = 'pending' WHERE id = $1", [id]))
  }
  await admin.call(trashFile, { id: files[2]?.id ?? 0 })
  const { counts } = await admin.call(getSystem, {})
  expect(counts).toEqual({ users: 2, files: 3, folders: 1, pending: 1, bytes: 100_010 })
})

test('the system call needs the permission to manage settings', async () => {
  const user = await buildUser(server)
  await expect(user.call(getSystem, {})).rejects.toMatchObject({ status: 403, code: 'forbidden' })
  const owner = await buildUser(server, { role: 'admin' })
  const key = await buildKey(server, owner, ['settings:manage'])
  expect((await key.call(getSystem, {})).counts.users).toBeGreaterThan(0)
  const other = await buildKey(server, owner, ['users:manage', 'files:read'])
  await expect(other.call(getSystem, {})).rejects.toMatchObject({ status: 403 })
})
