/**
 * A row and an index of it that say different things, as after a changed page or a lost write: `filestore fsck --repair`
 * believes neither, and gives nobody access by it.
 */
import { beforeEach, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { signIn } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildGroup,
  buildKey,
  buildShare,
  buildUser,
} from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { type FsckOutcome, runFsck } from './fsck-run.ts'
import { unseen } from './fsck-unseen.ts'

let server: TestServer
let ann: BuiltUser
let ben: BuiltUser
let shown: { id: number }
let secret: { id: number }

beforeEach(async context => {
  onlyOn('sqlite', context)
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  ben = await buildUser(server, { username: 'ben' })
  shown = await buildFolder(ann, 'shown')
  secret = await buildFolder(ann, 'secret')
  return () => server.close()
})

const read = <Row extends object>(sql: string): Promise<Row[]> => server.deps.db.rows<Row>(sql)

interface Case {
  table: string
  column: string
  /** Makes a row, and returns its key and the statement that changes it. */
  spoil(): Promise<{ key: string | number; statement: string }>
  /** What is left of the row after the repair. */
  left: string
  expected: object[]
}

async function change(table: string, column: string, id: number, value: number) {
  return { key: id, statement: `UPDATE ${table} SET ${column} = ${value} WHERE id = ${id}` }
}

async function groupShare(column: 'item_id' | 'group_id') {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const [group, other] = [await buildGroup(admin, []), await buildGroup(admin, [ben])]
  const { id } = await buildShare(ann, shown, { group_id: group.id }, 'edit')
  return change('shares', column, id, column === 'item_id' ? secret.id : other.id)
}

const ended = { left: 'SELECT level, expires_at FROM shares', expected: [{ level: 'view', expires_at: 0 }] }

const cases: readonly Case[] = [
  {
    table: 'shares',
    column: 'item_id',
    spoil: async () => change('shares', 'item_id', (await buildShare(ann, shown, ben, 'edit')).id, secret.id),
    ...ended,
  },
  {
    table: 'shares',
    column: 'user_id',
    spoil: async () => {
      const { id } = await buildShare(ann, shown, await buildUser(server), 'edit')
      return change('shares', 'user_id', id, ben.id)
    },
    ...ended,
  },
  { table: 'shares', column: 'group_id', spoil: () => groupShare('group_id'), ...ended },
  { table: 'shares', column: 'item_id', spoil: () => groupShare('item_id'), ...ended },
  {
    table: 'links',
    column: 'item_id',
    spoil: async () => change('links', 'item_id', (await buildLink(ann, shown)).id, secret.id),
    left: 'SELECT is_active FROM links',
    expected: [{ is_active: 0 }],
  },
  {
    table: 'api_keys',
    column: 'user_id',
    spoil: async () => change('api_keys', 'user_id', (await buildKey(server, ben, ['files:read'])).id, ann.id),
    left: 'SELECT is_active FROM api_keys',
    expected: [{ is_active: 0 }],
  },
  {
    table: 'sessions',
    column: 'user_id',
    spoil: async () => {
      const [session] = await read<{ id: number }>(`SELECT id FROM sessions WHERE user_id = ${ben.id}`)
      return change('sessions', 'user_id', session?.id ?? 0, ann.id)
    },
    left: 'SELECT username FROM sessions s JOIN users u ON u.id = s.user_id',
    expected: [{ username: 'ann' }],
  },
  {
    table: 'users',
    column: 'role_id',
    spoil: async () => {
      const [role] = await read<{ id: number }>("SELECT id FROM roles WHERE name = 'admin'")
      return change('users', 'role_id', ben.id, role?.id ?? 0)
    },
    left: "SELECT is_active FROM users WHERE username = 'ben'",
    expected: [{ is_active: 0 }],
  },
]

const titleOf = ({ name, detail }: FsckOutcome['findings'][number]) => `${name}: ${detail}`

async function expectMended(named: RegExp): Promise<void> {
  const found = await runFsck(server)
  expect(found.code).toBe(10)
  expect(found.findings.map(titleOf)).toContainEqual(expect.stringMatching(named))
  const repaired = await runFsck(server, '--repair')
  expect(repaired.code).toBe(0)
  expect(repaired.findings.map(titleOf)).toContainEqual(expect.stringMatching(named))
}

const expectWhole = async (): Promise<void> =>
  expect((await runFsck(server)).findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([])

test.each(cases)('an unclear $column in $table is named, and gives nobody access', async one => {
  const { key, statement } = await one.spoil()
  await spoilRows(server, ...unseen(one.table, statement))
  await expectMended(new RegExp(`^${one.table} ${key}: .*\\b${one.column}\\b`))
  expect(await read(one.left)).toEqual(one.expected)
  await expectWhole()
})

test.each([
  ['back', (group: number) => `INSERT INTO group_members (user_id, group_id) VALUES (${ben.id}, ${group})`],
  ['gone', (group: number) => `DELETE FROM group_members WHERE group_id = ${group}`],
] as const)('a member of a group who is %s without an index is no member', async (what, statement) => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const group = await buildGroup(admin, what === 'back' ? [] : [ben])
  await buildShare(ann, secret, { group_id: group.id }, 'view')
  await spoilRows(server, ...unseen('group_members', statement(group.id)))
  const named = what === 'back' ? `group_members ${ben.id}/${group.id}` : 'table group_members'
  expect((await runFsck(server)).findings.map(({ name }) => name)).toContain(named)
  expect((await runFsck(server, '--repair')).findings.map(({ name }) => name)).toContain(named)
  expect(await read('SELECT user_id FROM group_members')).toEqual([])
  await expectWhole()
})

test.each(['shares', 'links', 'api_keys', 'sessions'])(
  'a row of %s that is back without any index gives nothing',
  async table => {
    if (table === 'shares') await buildShare(ann, secret, ben, 'edit')
    if (table === 'links') await buildLink(ann, secret)
    if (table === 'api_keys') await buildKey(server, ann, ['files:read'])
    const [row] = await read<{ id: number }>(`SELECT id FROM ${table} ORDER BY id DESC LIMIT 1`)
    await spoilRows(
      server,
      `CREATE TABLE kept AS SELECT * FROM ${table} WHERE id = ${row?.id}`,
      `DELETE FROM ${table} WHERE id = ${row?.id}`,
      ...unseen(table, `INSERT INTO ${table} SELECT * FROM kept; DROP TABLE kept`),
    )
    await expectMended(new RegExp(`^${table} ${row?.id}: .*does not name it`))
    const alive = {
      shares: 'SELECT id FROM shares WHERE expires_at IS NULL OR expires_at > 0',
      links: 'SELECT id FROM links WHERE is_active = 1',
      api_keys: 'SELECT id FROM api_keys WHERE is_active = 1',
      sessions: `SELECT id FROM sessions WHERE id = ${row?.id}`,
    }
    expect(await read(alive[table as keyof typeof alive])).toEqual([])
  },
)

test.each([
  ['parent_id', (id: number) => `UPDATE files SET parent_id = ${shown.id} WHERE id = ${id}`],
  ['blob_id', (id: number) => `UPDATE files SET blob_id = (SELECT MIN(id) FROM blobs) WHERE id = ${id}`],
  ['deleted_at', (id: number) => `UPDATE files SET deleted_at = 5 WHERE id = ${id}`],
  ['owner_id', (id: number) => `UPDATE files SET owner_id = ${ben.id} WHERE id = ${id}`],
])('a file whose %s is unclear is lost, and nothing is repaired', async (column, statement) => {
  await buildFile(ben, { name: 'of another.bin' }, largeContent())
  await buildShare(ann, shown, ben, 'view')
  const { id } = await buildFile(ann, { name: 'plans.bin', parent_id: secret.id }, largeContent())
  await spoilRows(server, ...unseen('files', statement(id)))
  const before = await read('SELECT * FROM files NOT INDEXED ORDER BY id')
  for (const options of [[], ['--repair'], ['--repair']]) {
    const { code, findings } = await runFsck(server, ...options)
    expect(code).toBe(11)
    const [found] = findings.filter(({ file_id, verdict }) => file_id === id && verdict === 'lost')
    expect(found).toMatchObject({ name: expect.stringContaining(`(id:${id})`) })
    expect(found?.detail).toContain(column)
    expect(findings.filter(({ repaired }) => repaired)).toEqual([])
  }
  expect(await read('SELECT * FROM files NOT INDEXED ORDER BY id')).toEqual(before)
})

test('a value that gives nobody access is told as lost, and its index is built anew', async () => {
  const { id } = await buildFile(ann, { name: 'dated.txt' })
  await spoilRows(server, ...unseen('files', `UPDATE files SET updated_at = 5 WHERE id = ${id}`))
  for (const options of [[], ['--repair']]) {
    const { code, findings } = await runFsck(server, ...options)
    expect(code).toBe(11)
    expect(findings.find(({ file_id }) => file_id === id)?.detail).toMatch(/^its updated_at is 5, and \d+ in index /)
  }
  expect((await runFsck(server)).code).toBe(0)
  expect((await ann.call(listFiles, {})).files.map(({ name }) => name)).toEqual(['dated.txt'])
})

test('an index that has lost entries is built anew, and the files stay as they are', async () => {
  for (const name of ['a.txt', 'b.txt']) await buildFile(ann, { name })
  const before = await read('SELECT * FROM files ORDER BY id')
  // An index of some rows only that says it is one of all of them lacks the others.
  await spoilRows(
    server,
    'DROP INDEX files_owner',
    "CREATE INDEX files_owner ON files (owner_id) WHERE name <> 'a.txt'",
    'PRAGMA writable_schema = ON',
    "UPDATE sqlite_schema SET sql = 'CREATE INDEX files_owner ON files (owner_id)' WHERE name = 'files_owner'",
    'PRAGMA writable_schema = RESET',
  )
  const { code, findings } = await runFsck(server)
  expect(code).toBe(10)
  expect(findings.map(({ name }) => name)).toEqual(['index files_owner'])
  expect((await runFsck(server, '--repair')).code).toBe(0)
  expect(await read('SELECT * FROM files ORDER BY id')).toEqual(before)
})
