/** Rows with another row's key, which a lost unique index has let in: fsck and all commands of backups name them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTag, tagFiles } from '../../src/api/tags.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let user: BuiltUser
let folder: string

beforeEach(async () => {
  server = await startServer()
  user = await buildUser(server, { username: 'ann' })
  folder = await backups.openFolder()
  const file = await buildFile(user, { name: 'one.txt' })
  await buildFile(user, { name: 'two.txt' })
  for (const name of ['work', 'home']) {
    const { tag } = await user.call(createTag, { name, color: '#3B82F6' })
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
  }
})
afterEach(() => server.close())

/** SQLite's statements that make a table again without its keys. */
const withoutKeys = (table: string): string[] => [
  `CREATE TABLE copied AS SELECT * FROM ${table}`,
  `DROP TABLE ${table}`,
  `ALTER TABLE copied RENAME TO ${table}`,
]

const copyRows = (table: string, columns: string): string =>
  `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${table}`

interface Damage {
  table: string
  /** SQLite's way to lose the index, and MariaDB's. */
  lose: { sqlite: string[]; mariadb: string[] }
  double: string
  lost: string
  told: RegExp
}

const damages: Damage[] = [
  {
    table: 'files',
    lose: {
      sqlite: ['DROP INDEX files_name'],
      mariadb: ['ALTER TABLE files DROP FOREIGN KEY IF EXISTS files_ibfk_1, DROP INDEX files_name'],
    },
    double: "UPDATE files SET name = 'one.txt'",
    lost: 'table files: no index keeps its space_id and live_parent and name unique',
    told: /files \d+: its space_id and live_parent and name are another row's too/,
  },
  {
    table: 'tags',
    lose: {
      sqlite: withoutKeys('tags'),
      mariadb: [
        `ALTER TABLE tags MODIFY id BIGINT NOT NULL, DROP PRIMARY KEY, DROP INDEX tags_name,
          ADD INDEX owner (owner_id), ADD INDEX id (id)`,
      ],
    },
    double: "UPDATE tags SET name = 'work'",
    lost: 'table tags: no index keeps its owner_id and name unique',
    told: /tags \d+: its owner_id and name are another row's too/,
  },
  {
    table: 'users',
    lose: { sqlite: withoutKeys('users'), mariadb: ['ALTER TABLE users DROP INDEX email_key'] },
    double: "UPDATE users SET email = 'one@example.org', email_key = 'one@example.org'",
    lost: 'table users: no index keeps its email_key unique',
    told: /users \d+: its email_key is another row's too/,
  },
  {
    table: 'file_tags',
    lose: {
      sqlite: withoutKeys('file_tags'),
      mariadb: ['ALTER TABLE file_tags DROP PRIMARY KEY, ADD INDEX by_tag (tag_id)'],
    },
    double: copyRows('file_tags', 'tag_id, file_id'),
    lost: 'table file_tags: no index keeps its tag_id and file_id unique',
    told: /file_tags \d+\/\d+: its tag_id and file_id are another row's too/,
  },
]

const dialect = process.env.FILESTORE_TEST_DATABASE === undefined ? 'sqlite' : 'mariadb'

describe('without a unique index, rows that are there twice', { timeout: 120_000 }, () => {
  test.each(damages)('in $table are named by every command', async ({ table, lose, double, lost, told }) => {
    const { snapshot: whole } = await backups.backUp(server, folder)
    await spoilRows(server, ...lose[dialect], double)
    const found = await runFsck(server)
    const named = found.findings
      .filter(({ problem }) => problem === 'duplicate-row')
      .map(one => `${one.name}: ${one.detail}`)
    if (table === 'files') expect(named).toEqual([])
    else expect(named.join('\n')).toMatch(told)
    expect(found.code).not.toBe(0)

    const made = await runOn(server, ['backup', folder, '--keep', '1'])
    expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining(`${whole} stays`) })
    const verified = await runOn(server, ['backup', '--verify', folder])
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`${whole}  whole`) })
    const restored = await runOn(await backups.openSite(), ['restore', folder])
    expect(restored.code).toBe(1)
    for (const text of [made.stderr, verified.stdout, restored.stderr]) {
      expect(text).toContain(lost)
      expect(text).toMatch(told)
    }
  })
})

test('a lost index without rows that are there twice is named by a backup', async () => {
  await spoilRows(
    server,
    ...(dialect === 'sqlite'
      ? ['DROP INDEX shares_item_user']
      : ['ALTER TABLE shares ADD INDEX item (item_id), DROP INDEX shares_item_user']),
  )
  const made = await runOn(server, ['backup', folder])
  expect(made).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('table shares: no index keeps its item_id and user_id unique'),
  })
})

test('equal rows of a table without anything else are made one by fsck --repair', async context => {
  onlyOn('mariadb', context)
  await spoilRows(
    server,
    'ALTER TABLE file_tags DROP PRIMARY KEY, ADD INDEX by_tag (tag_id)',
    copyRows('file_tags', 'tag_id, file_id'),
  )
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
  expect(await server.deps.db.rows('SELECT tag_id FROM file_tags')).toHaveLength(2)
  expect(await runFsck(server)).toMatchObject({ code: 0 })
})
