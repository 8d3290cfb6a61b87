/** `filestore fsck --repair` on a user whose name or address has become that of another user. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  await buildUser(server, { username: 'ben' })
})
afterEach(() => server.close())

const readUsers = () =>
  server.deps.db.rows<{ id: number; username: string; email: string }>(
    'SELECT id, username, username_key, username_skeleton, email, email_key FROM users ORDER BY id',
  )

test.each(['username', 'email'] as const)("a %s that is another user's becomes the user's own again", async column => {
  const before = await readUsers()
  const ben = before.find(({ username }) => username === 'ben')
  await spoilRows(server, `UPDATE users SET ${column} = '${ben?.[column]}' WHERE id = ${ann.id}`)
  const found = await runFsck(server)
  expect(found.code).toBe(10)
  expect(found.findings.map(({ detail }) => detail)).toContainEqual(
    expect.stringContaining(`its ${column} is that of another user`),
  )
  expect((await runFsck(server, '--repair')).code).toBe(0)
  expect(await readUsers()).toEqual(before)
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  await signIn(server.url, 'ann', ann.password)
})

test("an address that is another user's, with a key that is none, becomes one that nobody has", async () => {
  const ben = (await readUsers()).find(({ username }) => username === 'ben')
  await spoilRows(server, `UPDATE users SET email = '${ben?.email}', email_key = 'x' WHERE id = ${ann.id}`)
  expect((await runFsck(server, '--repair')).code).toBe(0)
  const mended = (await readUsers()).find(({ id }) => id === ann.id)
  expect(mended?.email).toBe(`user-${ann.id}@damaged.invalid`)
})
