/**
 * Every table, column, index and trigger of the database, dropped or replaced: `filestore fsck` names it and makes it
 * again.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { findSchema, type SchemaPart } from '../../src/db/schema.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { largeContent } from '../support/planting.ts'
import { rounds } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import { emptyLog, spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { type FsckOutcome, runFsck } from './fsck-run.ts'

// Each test runs the command three times, and MariaDB changes its tables one by one.
let server: TestServer
let user: BuiltUser
const onSqlite = process.env.FILESTORE_TEST_DATABASE === undefined

beforeEach(async () => {
  server = await startServer()
  user = await buildUser(server)
  const folder = await buildFolder(user, 'a folder')
  await buildFile(user, { name: 'a small file.txt', parent_id: folder.id })
  await buildFile(user, { name: 'a large file.txt' }, largeContent())
  // Case folding makes this name so long that SQLite's index stores it on overflow pages.
  await buildFile(user, { name: '\ufdfa'.repeat(80), parent_id: folder.id })
  await buildTag(user)
})
afterEach(() => server.close())

const partsOf = async (kind: SchemaPart['kind']): Promise<SchemaPart[]> =>
  (await findSchema(server.deps.db)).filter(part => part.kind === kind)

const dropIndex = ({ name, table }: SchemaPart): string =>
  onSqlite ? `DROP INDEX ${name}` : `ALTER TABLE ${table} DROP INDEX \`${name}\``

const namesOf = ({ findings }: FsckOutcome): string[] => findings.map(({ name }) => name)

/** Expects that fsck finds and repairs the damage, and then finds nothing. */
async function expectMended(named: readonly string[]): Promise<void> {
  const found = await runFsck(server)
  expect(namesOf(found)).toEqual(expect.arrayContaining([...named]))
  expect(found.code).toBe(10)
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
  expect(await runFsck(server, '--hash')).toMatchObject({ code: 0, findings: [] })
}

describe('the database schema', () => {
  test('has no findings when it is new', async () => {
    expect(await runFsck(server, '--hash')).toMatchObject({ code: 0, findings: [] })
  })

  test('with missing or replaced triggers is repaired, and the counters are correct again', async () => {
    const triggers = await partsOf('trigger')
    expect(triggers.length).toBeGreaterThan(2)
    for (const [at, { name, table }] of triggers.entries()) {
      await spoilRows(server, `DROP TRIGGER ${name}`)
      if (at % 2 === 0) continue
      const empty = onSqlite ? 'BEGIN SELECT 1; END' : 'FOR EACH ROW SET @nothing = 1'
      await spoilRows(server, `CREATE TRIGGER ${name} AFTER DELETE ON ${table} ${empty}`)
    }
    await buildFile(user, { name: 'counted by nobody.txt' })
    await expectMended(triggers.map(({ name }) => `trigger ${name}`))
    expect((await user.call(listFiles, {})).total).toBe(3)
  })

  test('without indexes is repaired, and a name that is taken twice is changed', async () => {
    const keyed = (await partsOf('index')).filter(({ name }) => name !== 'PRIMARY')
    const references = await partsOf('reference')
    if (!onSqlite) await dropReferences()
    await spoilRows(server, ...keyed.map(dropIndex))
    await spoilRows(server, "UPDATE files SET name = 'a folder' WHERE name = 'a large file.txt'")
    const foreign = references.map(({ name, table }) => `foreign key ${name} of table ${table}`)
    await expectMended([...keyed.map(({ name }) => `index ${name}`), ...foreign])
    const { files, folders } = await user.call(listFiles, {})
    expect([...folders, ...files].map(({ name }) => name).sort()).toEqual(['a folder', 'a folder (1)'])
  })

  test('with replaced indexes is repaired, and each index is named', async () => {
    const named = (await partsOf('index')).filter(({ table, name }) => table === 'files' && name !== 'PRIMARY')
    if (!onSqlite) await dropReferences()
    for (const part of named) {
      const columns = part.name === 'files_owner' ? 'created_at' : 'owner_id'
      await spoilRows(server, dropIndex(part), `CREATE INDEX ${part.name} ON files (${columns})`)
    }
    await expectMended(named.map(({ name }) => `index ${name}`))
  })

  test('loses unknown triggers and unique indexes, and other unknown parts are reported as harmless', async () => {
    const body = onSqlite ? 'BEGIN DELETE FROM sessions; END' : 'FOR EACH ROW DELETE FROM sessions'
    await spoilRows(
      server,
      `CREATE TRIGGER strange AFTER DELETE ON tags ${body}`,
      'CREATE UNIQUE INDEX `only``one; DROP TABLE tags` ON tags (color)',
      'CREATE INDEX slow ON tags (color)',
      'CREATE TABLE notes (id INTEGER PRIMARY KEY)',
    )
    const found = await runFsck(server, '--repair')
    const verdicts = Object.fromEntries(
      found.findings.map(({ name, verdict, repaired }) => [name, repaired || verdict]),
    )
    expect(verdicts).toMatchObject({
      'trigger strange': true,
      'index only`one; DROP TABLE tags': true,
      'index slow': 'ok',
    })
    expect(verdicts['table notes']).toBe('ok')
    expect(found.code).toBe(0)
  })

  test.skipIf(onSqlite)('loses scheduled events, and unknown views are reported as harmless', async () => {
    await spoilRows(
      server,
      'CREATE EVENT strange ON SCHEDULE EVERY 1 YEAR STARTS NOW() + INTERVAL 1 YEAR DO DELETE FROM sessions',
      'CREATE VIEW looks AS SELECT id FROM users',
    )
    const found = await runFsck(server, '--repair')
    const named = found.findings.map(({ name, verdict, repaired }) => [name, repaired || verdict])
    expect(Object.fromEntries(named)).toEqual({ 'event strange': true, 'view looks': 'ok' })
    const { db } = server.deps
    expect(await db.rows('SELECT event_name FROM information_schema.events WHERE event_schema = DATABASE()')).toEqual(
      [],
    )
    expect(found.code).toBe(0)
  })

  /** Drops the foreign keys first, because MariaDB keeps every index that a foreign key needs. */
  async function dropReferences(): Promise<void> {
    const { db } = server.deps
    const rows = await db.rows<{ name: string; at: string }>(
      `SELECT constraint_name AS name, table_name AS at FROM information_schema.referential_constraints
       WHERE constraint_schema = DATABASE()`,
    )
    await spoilRows(server, ...rows.map(({ name, at }) => `ALTER TABLE ${at} DROP FOREIGN KEY \`${name}\``))
  }
})

/** Tables that can be filled again from other rows. Only a backup restores the others. */
const remade = ['folder_counts', 'leases', 'link_visits', 'sessions', 'shared_counts', 'file_thumbnails', 'type_counts']

describe('a missing table', () => {
  test('is made again when its rows can be derived from others', async () => {
    await spoilRows(server, ...remade.map(name => `DROP TABLE ${name}`))
    await expectMended(remade.map(name => `table ${name}`))
  })

  test('is lost when its rows cannot be derived, and nothing else is repaired', async () => {
    const tables = (await partsOf('table')).map(({ name }) => name)
    const others = tables.filter(name => !remade.includes(name) && !name.startsWith('file_search'))
    if (onSqlite) await spoilRows(server, 'DROP TABLE file_search')
    await spoilRows(server, ...others.map(name => `DROP TABLE ${name}`))
    const found = await runFsck(server, '--repair')
    expect(found.code).toBe(11)
    expect(namesOf(found)).toEqual(expect.arrayContaining(others.map(name => `table ${name}`)))
    expect(found.counts.repaired).toBe(0)
  })

  test('and a table with a renamed column are both lost', async () => {
    const { db } = server.deps
    const tables = (await partsOf('table')).map(({ name }) => name).filter(name => !name.startsWith('file_search'))
    const named: string[] = []
    for (const table of tables) {
      const rows = await db.rows<{ name: string }>(`SELECT * FROM (SELECT 1 AS name) one LEFT JOIN ${table} t ON 1 = 0`)
      const column = Object.keys(rows[0] ?? {}).at(-1) ?? ''
      await spoilRows(server, `ALTER TABLE ${table} RENAME COLUMN \`${column}\` TO another`)
      named.push(onSqlite ? `table ${table}` : `column ${column} of table ${table}`)
    }
    const found = await runFsck(server)
    expect(found.code).toBe(11)
    expect(namesOf(found)).toEqual(expect.arrayContaining(named))
  })
})

/** Overwrites the first pages of tables or indexes of a small database, and returns their names. */
async function overwrite(type: 'table' | 'index', page: Buffer): Promise<string[]> {
  const { db } = server.deps
  const roots = await db.rows<{ name: string; rootpage: number }>(
    `SELECT name, rootpage FROM sqlite_schema WHERE type = $1 AND rootpage > 0 AND tbl_name <> 'migrations'
       AND name NOT LIKE 'file\\_search%' ESCAPE '\\' ORDER BY name`,
    [type],
  )
  // As long as somebody reads, pages stay in the log, whose copies would count.
  await expect.poll(() => emptyLog(server)).toBe(0)
  const file = await open(join(server.dataDir, 'filestore.db'), 'r+')
  for (const { rootpage } of roots) await file.write(page, 0, page.length, (rootpage - 1) * 4096)
  await file.close()
  return roots.map(({ name }) => `${type} ${name}`)
}

/** The head of an index page without entries (SQLite's file format, section 1.6). */
const emptyIndexPage = Buffer.from([0x0a, 0, 0, 0, 0, 0x10, 0, 0])

describe('an SQLite file', () => {
  test('with empty indexes: each is named, also without --repair, and filled again', async context => {
    onlyOn('sqlite', context)
    await expectMended(await overwrite('index', emptyIndexPage).then(names => names.filter(isFilled)))
    // A session that no index names may have ended.
    const again = await signIn(server.url, user.username, user.password)
    expect((await again.call(listFiles, {})).total).toBe(2)
  })

  test('with unreadable tables: each is named as lost', async context => {
    onlyOn('sqlite', context)
    const named = await overwrite('table', Buffer.alloc(4096))
    const found = await runFsck(server, '--repair')
    expect(found.code).toBe(11)
    // A job of the running server may write the pages of these again, from its memory.
    const lost = named.filter(name => !/^table (sqlite_|(leases|server_state)$)/.test(name))
    expect(namesOf(found)).toEqual(expect.arrayContaining(lost))
    expect(found.counts.repaired).toBe(0)
  })

  /** Indexes of tables without rows, or without matching rows, have nothing to lose. */
  const isFilled = (name: string): boolean =>
    !/in_transfer|thumbnails|metadata|pending|favorites|held|received|shares|share_hides|link|group_members|validated_by|shared_counts|leases_node|trash_root|file_tags|api_keys|uploads|nodes/.test(
      name,
    )

  const lost: [what: string, statement: string][] = [
    ['blocks', 'DELETE FROM file_search_data WHERE id > 10'],
    ['itself', 'DROP TABLE file_search'],
    ['all of its blocks', 'DELETE FROM file_search_data'],
    ['the sizes of its entries', 'DELETE FROM file_search_docsize'],
    ['its configuration', 'DELETE FROM file_search_config'],
    ['a table', 'DROP TABLE file_search_idx'],
  ]
  test.for(rounds(lost.slice(0, 2), lost))(
    'with a search index that lacks %s: it is named and filled again',
    async ([_what, statement], context) => {
      onlyOn('sqlite', context)
      await spoilRows(server, statement)
      const found = await runFsck(server)
      expect(found.code).toBe(10)
      expect(found.findings.map(({ problem }) => problem)).toContain('search-index')
      expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
      expect(await runFsck(server, '--hash')).toMatchObject({ code: 0, findings: [] })
    },
  )

  test('with wrong names in the search index: --hash finds it, and --repair fills it again', async context => {
    onlyOn('sqlite', context)
    const file = (await user.call(listFiles, {})).files[0]
    const ofFile = `(SELECT id FROM files WHERE id = ${file?.id})`
    const words = `(SELECT space_id || 'x' || hex('ano') FROM files WHERE id = ${file?.id})`
    await spoilRows(
      server,
      `DELETE FROM file_search WHERE rowid = ${ofFile}`,
      `INSERT INTO file_search (rowid, trigrams) VALUES (${ofFile}, ${words})`,
    )
    const found = await runFsck(server, '--hash')
    expect(found).toMatchObject({ code: 10, findings: [{ problem: 'search-index', verdict: 'repairable' }] })
    expect(await runFsck(server, '--hash', '--repair')).toMatchObject({ code: 0 })
    expect(await runFsck(server, '--hash')).toMatchObject({ code: 0, findings: [] })
  })

  test('with a damaged search index: a failed deletion names the remedy, and works after it', async context => {
    onlyOn('sqlite', context)
    const file = (await user.call(listFiles, {})).files[0]
    const id = file?.id ?? 0
    await user.call(trashFile, { id })
    await spoilRows(server, 'DELETE FROM file_search_data')
    await expect(user.call(deleteFile, { id })).rejects.toThrow("'filestore fsck --repair'")
    expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
    await user.call(deleteFile, { id })
  })
})
