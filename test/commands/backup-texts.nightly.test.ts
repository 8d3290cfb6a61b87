/**
 * Texts that no call accepts, in every text column of a backup that somebody has written by hand: `--verify`, `restore`
 * and `fsck` name them, and `--repair` makes texts of them that calls accept.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listTags } from '../../src/api/tags.ts'
import { findTables, type Table } from '../../src/db/tables.ts'
import { signIn } from '../support/client.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildGroup,
  buildKey,
  buildShare,
  buildTag,
  buildTeam,
  buildUser,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let tables: Table[]
let folder: string

async function plantRows(user: BuiltUser): Promise<void> {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const field = await buildField(admin, { field_type: 'select', options: ['one', 'two'] })
  await buildFile(user, { name: 'letter.txt', metadata: [{ field_id: field.id, value: 'one' }] })
  await buildShare(user, await buildFolder(user, 'shared'), await buildUser(server), 'view')
  await buildKey(server, user, ['files:read'])
  await buildTag(user)
  await buildGroup(admin, [user])
  await buildTeam(admin, user)
}

beforeAll(async () => {
  server = await startServer()
  await plantRows(await buildUser(server))
  tables = await findTables(server.deps.db)
})
afterAll(() => server.close())

beforeEach(async () => {
  folder = await backups.openFolder()
  await backups.backUp(server, folder)
})

/** All text columns but the keys of names, which follow from a name with the same text. */
const textsOf = (name: string): string[] =>
  tables
    .find(table => table.name === name)
    ?.columns.flatMap(column =>
      column.isText && !/^(username|email|name)_key$/.test(column.name) ? [column.name] : [],
    ) ?? []

/** Gives the last row of each table this text in all its text columns; returns the expected beginnings of problems. */
async function writeTexts(text: string, isLeftOut: (column: string) => boolean): Promise<string[]> {
  const expected: string[] = []
  await backups.rewriteRows(folder, (name, rows) => {
    const [table, last] = [tables.find(one => one.name === name), rows.at(-1)]
    const columns = textsOf(name).filter(column => !isLeftOut(`${name} ${column}`))
    if (table === undefined || last === undefined || columns.length === 0) return rows
    const changed = { ...last, ...Object.fromEntries(columns.map(column => [column, text])) }
    const key = table.key.map(part => String(changed[part]).replace(/^(.{200}).+/, '$1…')).join('/')
    expected.push(...columns.map(column => `${name} ${key}: its ${column} `))
    return [...rows.slice(0, -1), changed]
  })
  return expected
}

/** Columns in which a text may be empty: blocks, and what no call gives. */
const mayBeEmpty = /description|full_name|comment|address|holder|_folded|sort_key|_key$|skeleton|value$|^leases|_state/

const variants = [
  { what: 'too long', text: 'x'.repeat(200_001), isLeftOut: () => false },
  { what: 'with NUL', text: 'a\0b', isLeftOut: () => false },
  { what: 'with half a character', text: 'a\ud800b', isLeftOut: () => false },
  { what: 'empty', text: '', isLeftOut: (column: string) => mayBeEmpty.test(column) },
]

describe('texts that are', () => {
  test.each(variants)('$what are named in every column', async ({ text, isLeftOut }) => {
    const expected = await writeTexts(text, isLeftOut)
    expect(expected.length).toBeGreaterThan(15)
    const verified = await runOn(server, ['backup', '--verify', folder, '--json'])
    const restored = await runOn(await backups.openSite(), ['restore', folder, '--json'])
    expect([verified.code, restored.code]).toEqual([1, 1])
    for (const { problems } of [JSON.parse(verified.stdout).snapshots[0], JSON.parse(restored.stdout)]) {
      const isTold = (words: string) => problems.some((problem: string) => problem.startsWith(words))
      expect(expected.filter(words => !isTold(words))).toEqual([])
    }
  })
})

test('a tag whose name is too long is restored, and has a name that calls accept after a repair', async () => {
  const user = await buildUser(server, { username: 'ann', password: 'password-of-ann' })
  const { id } = await buildTag(user, 'short')
  folder = await backups.openFolder()
  await backups.backUp(server, folder)
  const name = `${'long '.repeat(200)}\u0001`
  await backups.rewriteRows(folder, (table, rows) =>
    rows.map(row => (table === 'tags' && row.id === id ? { ...row, name } : row)),
  )
  const site = await backups.openSite()
  await runOn(site, ['restore', folder])
  await runFsck(site, '--repair')
  expect((await runFsck(site)).findings).toEqual([])
  const row = await backups.withDatabaseOf(site, db =>
    db.row<{ name: string }>('SELECT name FROM tags WHERE id = $1', [id]),
  )
  expect(row?.name).toBe('long '.repeat(10).trim())
  expect((await user.call(listTags, {})).tags.map(tag => tag.name)).toEqual(['short'])
})
