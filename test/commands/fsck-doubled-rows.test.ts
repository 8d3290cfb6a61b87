/**
 * Two rows that a UNIQUE index forbids, one of which only the table has: `filestore fsck --repair` takes the safe side
 * about both, and then builds the index.
 */
import { beforeEach, expect, test } from 'vitest'
import { listReceived } from '../../src/api/shares.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFolder, buildGroup, buildKey, buildShare, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { runFsck } from './fsck-run.ts'
import { unseenByAll } from './fsck-unseen.ts'

let server: TestServer
let ann: BuiltUser
let ben: BuiltUser
let shown: { id: number }

beforeEach(async context => {
  onlyOn('sqlite', context)
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  ben = await buildUser(server, { username: 'ben' })
  shown = await buildFolder(ann, 'shown')
  return () => server.close()
})

const read = <Row extends object>(sql: string): Promise<Row[]> => server.deps.db.rows<Row>(sql)

/** Puts a copy of a row beside it that no index has, with some other values. */
async function double(table: string, id: number, other: Record<string, string>): Promise<number> {
  const columns = (await read<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)).map(row => row.name)
  const copy = id + 1000
  const values = columns.map(name => (name === 'id' ? copy : (other[name] ?? name)))
  const statement = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table} WHERE id = ${id}`
  await spoilRows(server, ...unseenByAll(table, statement))
  return copy
}

/** The repair ends, and what is left needs none. */
async function expectSettled(named: string): Promise<void> {
  const found = await runFsck(server)
  expect([found.code, found.findings.map(({ name }) => name)]).toEqual([10, expect.arrayContaining([named])])
  const repaired = await runFsck(server, '--repair')
  expect([repaired.code, repaired.findings.map(({ name }) => name)]).toEqual([0, expect.arrayContaining([named])])
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
}

test.each(['user', 'group'])('a share that is there twice for a %s ends, and one row of it is left', async whose => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const target = whose === 'user' ? ben : { group_id: (await buildGroup(admin, [ben])).id }
  const { id } = await buildShare(ann, shown, target, 'view')
  const copy = await double('shares', id, { level: "'edit'" })
  await expectSettled(`shares ${copy}`)
  expect(await read('SELECT id, level, expires_at FROM shares')).toEqual([{ id, level: 'view', expires_at: 0 }])
  expect((await ben.call(listReceived, {})).shares).toEqual([])
})

test('a link whose address another one has is paused, and one row of it is left', async () => {
  const { id } = await buildLink(ann, shown)
  const copy = await double('links', id, { level: "'edit'" })
  await expectSettled(`links ${copy}`)
  expect(await read('SELECT id, level, is_active FROM links')).toEqual([{ id, level: 'view', is_active: 0 }])
})

test('a key that is there twice is disabled, and one row of it is left', async () => {
  const { id } = await buildKey(server, ben, ['files:read'])
  const copy = await double('api_keys', id, { user_id: String(ann.id) })
  await expectSettled(`api_keys ${copy}`)
  expect(await read('SELECT id, user_id, is_active FROM api_keys')).toEqual([{ id, user_id: ben.id, is_active: 0 }])
})

test('a session that is there twice ends', async () => {
  const [session] = await read<{ id: number }>(`SELECT id FROM sessions WHERE user_id = ${ben.id}`)
  const copy = await double('sessions', session?.id ?? 0, { user_id: String(ann.id) })
  await expectSettled(`sessions ${copy}`)
  expect(await read(`SELECT id FROM sessions WHERE id IN (${session?.id}, ${copy})`)).toEqual([])
})

const adminRole = '(SELECT name FROM roles WHERE id = 1)'

test.each([
  [
    'user_groups',
    "SELECT 1000, 'Crew', 'everyone', 'listed'",
    'id, name, name_key, kind',
    { name: 'Crew', name_key: 'crew' },
  ],
  [
    'user_groups',
    "SELECT 1000, 'Everyone', 'everyone', 'listed'",
    'id, name, name_key, kind',
    { name: 'Group 1000', name_key: 'group 1000' },
  ],
  [
    'roles',
    `SELECT 1000, ${adminRole}, 0, 5, 5`,
    'id, name, is_system, created_at, updated_at',
    { name: 'Role 1000', is_system: 0 },
  ],
] as const)(
  'a row of %s (%s) with the name of another one gets one of its own',
  async (table, select, columns, expected) => {
    const before = await read(`SELECT * FROM ${table} ORDER BY id`)
    await spoilRows(server, ...unseenByAll(table, `INSERT INTO ${table} (${columns}) ${select}`))
    await expectSettled(`${table} 1000`)
    expect(await read(`SELECT * FROM ${table} WHERE id < 1000 ORDER BY id`)).toEqual(before)
    expect(await read(`SELECT * FROM ${table} WHERE id = 1000`)).toMatchObject([expected])
  },
)

test('a row with the name of another one gets a name that nobody has', async () => {
  const columns = 'id, name, is_system, created_at, updated_at'
  await spoilRows(
    server,
    `INSERT INTO roles (${columns}) SELECT 999, 'Role 1000', 0, 5, 5`,
    ...unseenByAll('roles', `INSERT INTO roles (${columns}) SELECT 1000, ${adminRole}, 0, 5, 5`),
  )
  await expectSettled('roles 1000')
  expect(await read('SELECT name FROM roles WHERE id >= 999 ORDER BY id')).toEqual([
    { name: 'Role 1000' },
    { name: 'Role 1000-2' },
  ])
})

test.each(['username', 'email'])('a user whose %s_key is that of another one gets their own back', async column => {
  const keys = () => read<object>('SELECT id, username_key, email_key FROM users ORDER BY id')
  const before = await keys()
  const key = `SELECT ${column}_key FROM users WHERE id = ${ben.id}`
  await spoilRows(server, ...unseenByAll('users', `UPDATE users SET ${column}_key = (${key}) WHERE id = ${ann.id}`))
  await runFsck(server, '--repair')
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  expect(await keys()).toEqual(before)
})

test('two rows of which nobody knows which is right are lost, and the way out is named', async () => {
  await spoilRows(
    server,
    ...unseenByAll('permissions', 'INSERT INTO permissions (id, key) SELECT 1000, key FROM permissions WHERE id = 1'),
  )
  for (const options of [[], ['--repair'], []]) {
    const { code, findings } = await runFsck(server, ...options)
    expect(code).toBe(11)
    expect(findings).toContainEqual(
      expect.objectContaining({
        verdict: 'lost',
        name: 'permissions 1000',
        detail: expect.stringContaining('restore'),
      }),
    )
    expect(findings.filter(({ detail }) => detail.includes('the repair failed'))).toEqual([])
  }
})
