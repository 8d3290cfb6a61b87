/**
 * Rows with values that no table would accept, or on pages that a bad disk has changed: backup, `--verify` and
 * `restore` name them.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let folder: string

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann', storageQuota: Number.MAX_SAFE_INTEGER })
  folder = await backups.openFolder()
})
afterEach(() => server.close())

interface Column {
  table: string
  column: string
  /** Column types on SQLite and on MariaDB. */
  types: [string, string]
}

/** Removes the value of a required column from a row, which only happens in a damaged database. */
async function takeValue({ table, column, types: [onSqlite, onMariadb] }: Column, where: string): Promise<void> {
  const update = `UPDATE ${table} SET \`${column}\` = NULL WHERE ${where}`
  if (server.deps.db.dialect === 'mariadb') {
    await spoilRows(server, `ALTER TABLE ${table} MODIFY \`${column}\` ${onMariadb} NULL`, update)
    return
  }
  const [wanting, free] = [`${column} ${onSqlite} NOT NULL`, `${column} ${onSqlite}`]
  const rewrite = (from: string, to: string) => [
    'PRAGMA writable_schema = ON',
    `UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE type = 'table' AND name = '${table}'`,
    'PRAGMA writable_schema = RESET',
  ]
  await spoilRows(server, ...rewrite(wanting, free), update, ...rewrite(`${free},`, `${wanting},`))
}

/** Removes the unique indexes of usernames and email addresses, on SQLite. */
const dropUserKeys = [
  'PRAGMA writable_schema = ON',
  "UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL UNIQUE', 'NOT NULL') WHERE type = 'table' AND name = 'users'",
  "DELETE FROM sqlite_schema WHERE name LIKE 'sqlite_autoindex_users%'",
  'PRAGMA writable_schema = RESET',
]

/** Damages a user without files, a file and a content, and returns the expected report on each. */
async function damageRows(): Promise<string[]> {
  const bob = await buildUser(server, { username: 'bob' })
  const homeless = await buildFile(ann, { name: 'homeless.txt' }, Buffer.from('no space'))
  const keyless = await buildFile(ann, { name: 'keyless.bin' }, largeContent())
  const blob = await server.deps.db.row<{ id: number }>('SELECT id FROM blobs WHERE sha256 = $1', [keyless.sha256])
  await takeValue({ table: 'users', column: 'email', types: ['TEXT', 'VARCHAR(320)'] }, `id = ${bob.id}`)
  await takeValue({ table: 'files', column: 'sort_key', types: ['TEXT', 'VARCHAR(400)'] }, `id = ${homeless.id}`)
  await takeValue({ table: 'blobs', column: 'key', types: ['TEXT', 'VARCHAR(64)'] }, `id = ${blob?.id}`)
  return [
    `users ${bob.id}: it has no email`,
    `files ${homeless.id}: it has no sort_key`,
    `blobs ${blob?.id}: it has no key`,
  ]
}

const pageSize = 4096

/** Zeroes the end of the first page of a table, by default a sector, as a bad disk does. */
async function zeroSector(table: string, count = 512): Promise<void> {
  const page = await server.deps.db.row<{ root: number }>(
    "SELECT rootpage AS root FROM sqlite_schema WHERE type = 'table' AND name = $1",
    [table],
  )
  await spoilRows(server, 'PRAGMA wal_checkpoint(TRUNCATE)')
  const file = await open(join(server.dataDir, 'filestore.db'), 'r+')
  await file.write(Buffer.alloc(count), 0, count, (page?.root ?? 1) * pageSize - count)
  await file.close()
}

describe.each([
  ['a folder', 'place'],
  ['one file', 'backup.tar'],
])('rows without a required value', (kind, name) => {
  test(`are named by a backup into ${kind}, by --verify and by restore, which mends what it can and leaves out the rest`, async () => {
    const [kept, large] = [Buffer.from('kept'), largeContent()]
    await buildFile(ann, { name: 'kept.txt' }, kept)
    await buildFile(ann, { name: 'large.bin' }, large)
    const told = await damageRows()
    const place = join(folder, name)

    const made = await runOn(server, ['backup', place, '--json'])
    expect(made.code).toBe(1)
    for (const words of [...told, 'filestore fsck']) expect(made.stderr).toContain(words)
    const { problems } = JSON.parse(made.stdout)
    expect(problems).toEqual(expect.arrayContaining(told.map(words => expect.stringContaining(words))))

    const verified = await runOn(server, ['backup', '--verify', place])
    expect(verified.code).toBe(1)
    for (const words of told) expect(verified.stdout).toContain(words)

    const site = await backups.openSite()
    const restored = await runOn(site, ['restore', place, '--json'])
    expect(restored.code).toBe(1)
    for (const words of told) expect(restored.stderr).toContain(words)
    const said = JSON.parse(restored.stdout)
    expect(said.lost_count).toBe(0)
    const isHandled = (fate: string) => (problem: string) => problem.endsWith(`; ${fate}`)
    // Nothing else tells the key of a content. An address and what a name is ordered by can be made.
    expect([said.problems.filter(isHandled('mended')), said.problems.filter(isHandled('left out'))]).toMatchObject([
      // The user's row has an address and its key.
      { length: 3 },
      { length: 1 },
    ])
    // The counters still include the row that was left out.
    await runOn(site, ['fsck', '--repair'])
    const files = await backups.readWhole(site)
    expect([files.get('kept.txt'), files.get('large.bin'), files.size]).toEqual([kept, large, 3])
  })
})

test('two rows with the same key are named, and restored when the key follows from the rest of the row', async () => {
  const [bob, eve] = [await buildUser(server, { username: 'bob' }), await buildUser(server, { username: 'eve' })]
  await spoilRows(
    server,
    ...(server.deps.db.dialect === 'mariadb' ? ['DROP INDEX username_key ON users'] : dropUserKeys),
    `UPDATE users SET username_key = 'bob' WHERE id = ${eve.id}`,
  )
  const told = `users ${eve.id}: its username_key is another row's too`
  expect(await runOn(server, ['backup', folder])).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
  const verified = await runOn(server, ['backup', '--verify', folder])
  expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(told) })
  const site = await backups.openSite()
  expect(await runOn(site, ['restore', folder])).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
  const users = await backups.withDatabaseOf(site, db => db.rows('SELECT id, username_key FROM users WHERE id > 1'))
  expect(users).toEqual([
    { id: ann.id, username_key: 'ann' },
    { id: bob.id, username_key: 'bob' },
    { id: eve.id, username_key: 'eve' },
  ])
})

describe('a lost sector of the database', () => {
  test.for(['users', 'spaces', 'files', 'blobs', 'roles'])('with rows of %s is reported', async (table, context) => {
    onlyOn('sqlite', context)
    await buildFile(ann, { name: 'file.bin' }, largeContent())
    await zeroSector(table)
    const made = await runOn(server, ['backup', folder, '--json'])
    expect(made.code).toBe(1)
    expect(made.stderr).toContain(`table ${table}`)
    expect(made.stderr).toContain('filestore fsck')
    const verified = await runOn(server, ['backup', '--verify', folder])
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`table ${table}`) })
    const restored = await runOn(await backups.openSite(), ['restore', folder])
    expect(restored).toMatchObject({ code: 1, stdout: expect.stringContaining('Snapshot') })
  })

  test('in a table that cannot be read leaves all other tables in the backup', async context => {
    onlyOn('sqlite', context)
    const content = largeContent()
    await buildFile(ann, { name: 'file.bin' }, content)
    await zeroSector('tags', pageSize)
    const told = 'table tags: it cannot be read to its end'
    const made = await runOn(server, ['backup', folder])
    expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
    const verified = await runOn(server, ['backup', '--verify', folder])
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(told) })
    const site = await backups.openSite()
    expect(await runOn(site, ['restore', folder])).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
    expect((await backups.readWhole(site)).get('file.bin')).toEqual(content)
  })
})

test('a table of contents that cannot be read leaves all other tables in a backup file', async context => {
  onlyOn('sqlite', context)
  await buildFile(ann, { name: 'file.bin' }, largeContent())
  await zeroSector('blobs', pageSize)
  const told = 'table blobs: it cannot be read to its end'
  const file = join(folder, 'backup.tar')
  expect(await runOn(server, ['backup', file])).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
  const site = await backups.openSite()
  expect(await runOn(site, ['restore', file])).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
})

test('--keep keeps the last complete snapshot until there is another one', async () => {
  const lost = await buildFile(ann, { name: 'homeless.txt' }, Buffer.from('no space'))
  await backups.backUp(server, folder)
  const { snapshot: whole } = await backups.backUp(server, folder)
  const sortKey: Column = { table: 'files', column: 'sort_key', types: ['TEXT', 'VARCHAR(400)'] }
  const row = await server.deps.db.row<{ sort_key: string }>('SELECT sort_key FROM files WHERE id = $1', [lost.id])
  await takeValue(sortKey, `id = ${lost.id}`)
  for (let day = 0; day < 3; day++) {
    const { code, stderr } = await runOn(server, ['backup', folder, '--keep', '2'])
    expect(code).toBe(1)
    if (day > 0) expect(stderr).toContain(`${whole} stays`)
  }
  const left = await backups.listSnapshots(folder)
  expect([left.length, left[0]]).toEqual([3, whole])
  await spoilRows(server, `UPDATE files SET sort_key = '${row?.sort_key}' WHERE id = ${lost.id}`)
  const { snapshot, removed } = await backups.backUp(server, folder, '--keep', '2')
  expect(removed).toContain(whole)
  expect((await backups.listSnapshots(folder)).at(-1)).toBe(snapshot)
})
