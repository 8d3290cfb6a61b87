/**
 * A page of a table that is of an earlier moment, as after a lost write: the index contradicts some of its rows, and the
 * others have gone back in time as well. `filestore fsck --repair` gives nobody access by those either.
 */
import { beforeEach, expect, test } from 'vitest'
import { updateUser } from '../../src/api/users.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFolder, buildKey, buildShare, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { runFsck } from './fsck-run.ts'
import { unseen, unseenByAll } from './fsck-unseen.ts'

let server: TestServer
let ann: BuiltUser
let ben: BuiltUser

beforeEach(async context => {
  onlyOn('sqlite', context)
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  ben = await buildUser(server, { username: 'ben' })
  return () => server.close()
})

const read = <Row extends object>(sql: string): Promise<Row[]> => server.deps.db.rows<Row>(sql)
const lastId = async (table: string): Promise<number> =>
  (await read<{ id: number }>(`SELECT MAX(id) AS id FROM ${table}`))[0]?.id ?? 0

/** What no row gives any more, by table: the rows that give access. */
const alive = {
  api_keys: 'SELECT id FROM api_keys WHERE is_active = 1 ORDER BY id',
  links: 'SELECT id FROM links WHERE is_active = 1 ORDER BY id',
  shares: 'SELECT id FROM shares WHERE expires_at IS NULL ORDER BY id',
}
type Name = keyof typeof alive

/** The column of which an index knows another value, and the title of a row beside it. */
const tables: readonly [Name, string, (id: number) => string][] = [
  ['api_keys', 'user_id', id => `api_keys ${id} 'laptop' of 'ben'`],
  ['links', 'created_by', id => `links ${id} of ann:/shown (id:1)`],
  ['shares', 'created_by', id => `shares ${id} of ann:/shown (id:1)`],
]

async function build(table: Name): Promise<void> {
  const folder = await buildFolder(ann, 'shown')
  if (table === 'api_keys') {
    await buildKey(server, ben, ['files:read'])
    await spoilRows(server, "UPDATE api_keys SET name = 'laptop'")
  }
  if (table === 'links') await buildLink(ann, folder)
  if (table === 'shares') await buildShare(ann, folder, ben, 'edit')
}

/** Adds copies of the only row, of which an index names each as it is. */
async function copyRow(table: Name, many: number): Promise<void> {
  const columns = (await read<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)).map(row => row.name)
  const others: Record<string, string> = {
    id: 'id + n',
    key_id: 'key_id || n',
    token_hash: "printf('%064x', n)",
    item_id: 'item_id + n',
  }
  const own = table === 'links' ? { ...others, item_id: 'item_id' } : others
  await spoilRows(
    server,
    `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${many})
     INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map(name => own[name] ?? name).join(', ')} FROM ${table}, c`,
  )
}

test.each(tables)(
  'a row of %s beside one whose %s an index contradicts gives nothing, and is named',
  async (table, column, titleOf) => {
    await build(table)
    const id = await lastId(table)
    await copyRow(table, table === 'shares' ? 0 : 1)
    if (table === 'shares') await buildShare(ann, await buildFolder(ann, 'other'), ben, 'view')
    await spoilRows(server, ...unseen(table, `UPDATE ${table} SET ${column} = 1 WHERE id = ${await lastId(table)}`))
    expect((await read(alive[table])).length).toBe(2)
    const found = await runFsck(server)
    expect([found.code, found.findings.map(({ name }) => name)]).toEqual([10, expect.arrayContaining([titleOf(id)])])
    const repaired = await runFsck(server, '--repair')
    expect([repaired.code, repaired.findings.map(({ name }) => name)]).toEqual([
      0,
      expect.arrayContaining([titleOf(id)]),
    ])
    expect(await read(alive[table])).toEqual([])
    expect((await runFsck(server)).code).toBe(0)
  },
)

test('keys on other pages, and those that give nothing anyway, are left alone', async () => {
  await build('api_keys')
  await copyRow('api_keys', 300)
  const middle = (await lastId('api_keys')) - 150
  await spoilRows(
    server,
    `UPDATE api_keys SET is_active = 0 WHERE id = ${middle - 1}`,
    ...unseen('api_keys', `UPDATE api_keys SET user_id = ${ann.id} WHERE id = ${middle}`),
  )
  const names = (await runFsck(server, '--repair')).findings.map(({ name }) => name)
  expect(names).not.toContain(`api_keys ${middle - 1} 'laptop' of 'ben'`)
  const left = (await read<{ id: number }>(alive.api_keys)).map(({ id }) => id)
  const ended = Array.from({ length: 301 }, (_, n) => n + 1).filter(id => !left.includes(id) && id !== middle - 1)
  expect(ended).toContain(middle)
  expect(ended.length).toBeGreaterThan(2)
  expect(ended.length).toBeLessThan(100)
})

test('keys beside ones that are gone are disabled', async () => {
  await build('api_keys')
  await copyRow('api_keys', 3)
  const last = await lastId('api_keys')
  await spoilRows(server, ...unseenByAll('api_keys', `DELETE FROM api_keys WHERE id = ${last}`))
  await runFsck(server, '--repair')
  expect(await read(alive.api_keys)).toEqual([])
})

test('a row that only one index lacks is no sign of such a page', async () => {
  await build('api_keys')
  await copyRow('api_keys', 3)
  const last = await lastId('api_keys')
  await spoilRows(
    server,
    'DROP INDEX api_keys_user',
    `CREATE INDEX api_keys_user ON api_keys (user_id) WHERE id <> ${last}`,
    'PRAGMA writable_schema = ON',
    "UPDATE sqlite_schema SET sql = 'CREATE INDEX api_keys_user ON api_keys (user_id)' WHERE name = 'api_keys_user'",
    'PRAGMA writable_schema = RESET',
  )
  await runFsck(server, '--repair')
  expect(await read(alive.api_keys)).toHaveLength(3)
})

test('an account that is older than its newest event is disabled, and its old password fits no more', async () => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const carol = await buildUser(server, { username: 'carol' })
  const [before] = await read<{ password_hash: string }>(`SELECT password_hash FROM users WHERE id = ${ben.id}`)
  await admin.call(updateUser, { id: ben.id, password: 'a new password of ben' })
  await admin.call(updateUser, { id: carol.id, is_active: false })
  const role = "(SELECT id FROM roles WHERE name <> 'admin' AND id <> u.role_id)"
  await spoilRows(
    server,
    `INSERT INTO roles (name, is_system, created_at, updated_at) VALUES ('other', 0, 5, 5)`,
    ...unseen(
      'users',
      `UPDATE users SET is_active = 1, updated_at = updated_at - 60000 WHERE id = ${carol.id};
       UPDATE users SET password_hash = '${before?.password_hash}', updated_at = updated_at - 60000 WHERE id = ${ben.id};
       UPDATE users AS u SET role_id = ${role} WHERE id = ${ann.id}`,
    ),
  )
  const { code, findings } = await runFsck(server, '--repair')
  const told = findings.map(({ name, detail, repaired }) => `${repaired} ${name}: ${detail}`)
  expect(code).toBe(0)
  for (const { id, username } of [ben, carol]) {
    expect(told).toContainEqual(expect.stringMatching(new RegExp(`^true users ${id} '${username}': .*set-password`)))
  }
  expect(told).toContainEqual(expect.stringMatching(/^false table users: .*'admin'/))
  expect(await read('SELECT username FROM users WHERE is_active = 1')).toEqual([{ username: 'admin' }])
  await admin.call(updateUser, { id: ben.id, is_active: true })
  await expect(signIn(server.url, 'ben', ben.password)).rejects.toMatchObject({ status: 401 })
  expect(await read(`SELECT id FROM sessions WHERE user_id = ${ben.id}`)).toEqual([])
  expect((await runFsck(server)).code).toBe(0)
})
