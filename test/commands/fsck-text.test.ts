/**
 * Text that a single changed bit of an SQLite row turns into bytes: no query finds it, and SQLite's own check accepts
 * it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { searchFiles } from '../../src/api/search.ts'
import { listTags } from '../../src/api/tags.ts'
import { findTables, type Row, type Table } from '../../src/db/tables.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildField, buildFile, buildKey, buildTag, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server, { role: 'admin' })
  const field = await buildField(user, { field_type: 'select', options: ['one', 'two'] })
  await buildFile(user, { name: 'letter.txt', metadata: [{ field_id: field.id, value: 'one' }] })
  await buildKey(server, user, ['files:read'])
  await buildTag(user)
})
afterAll(() => server.close())

/** The row that is last in the order of the table's key. */
const lastOf = ({ name, key }: Table): string =>
  `(${key.join(', ')}) = (SELECT ${key.join(', ')} FROM ${name} ORDER BY ${key.map(column => `${column} DESC`).join(', ')} LIMIT 1)`

const readLast = (table: Table): Promise<Row | undefined> =>
  server.deps.db.row<Row>(`SELECT * FROM ${table.name} WHERE ${lastOf(table)}`)

/** Changes the row without its triggers, as a disk would. */
async function spoilUnnoticed(...statements: string[]): Promise<void> {
  const triggers = await server.deps.db.rows<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
  )
  await spoilRows(server, ...triggers.map(({ name }) => `DROP TRIGGER ${name}`))
  await spoilRows(server, ...statements, ...triggers.map(({ sql }) => sql))
}

test('text that became bytes is named in every column, and is text again after a repair', async context => {
  onlyOn('sqlite', context)
  // The first sweep marks the store, which fsck checks before it repairs anything.
  await expect.poll(() => server.deps.store.readMark()).not.toBeNull()
  const tables = await findTables(server.deps.db)
  const before = new Map<Table, Row>()
  const damaged: string[] = []
  for (const table of tables) {
    const row = await readLast(table)
    const texts = table.columns.flatMap(({ name, isText }) => (isText && typeof row?.[name] === 'string' ? [name] : []))
    if (texts.length === 0) continue
    before.set(table, Object.fromEntries(texts.map(name => [name, row?.[name] ?? null])))
    damaged.push(...texts.map(column => `${table.name}: its ${column} is kept as bytes, not as text`))
    const set = texts.map(column => `"${column}" = CAST("${column}" AS BLOB)`).join(', ')
    await spoilUnnoticed(`UPDATE ${table.name} SET ${set} WHERE ${lastOf(table)}`)
  }
  expect(damaged.length).toBeGreaterThan(30)
  const found = await runFsck(server)
  expect(found.findings.map(({ name, detail }) => `${name.split(' ')[0]}: ${detail}`)).toEqual(
    expect.arrayContaining(damaged),
  )
  await runFsck(server, '--repair')
  const { code, findings } = await runFsck(server, '--hash')
  expect({ code, findings }).toEqual({ code: 0, findings: [] })
  for (const [table, texts] of before) {
    // Repairs have added events.
    if (table.name !== 'events') expect(await readLast(table)).toMatchObject(texts)
  }
})

test('a row that replaced one with a damaged key keeps its new values', async context => {
  onlyOn('sqlite', context)
  await expect.poll(() => server.deps.store.readMark()).not.toBeNull()
  const { db } = server.deps
  const read = () => db.rows('SELECT `key`, value FROM server_state ORDER BY `key`')
  const before = await read()
  const table = 'server_state (`key`, value)'
  await spoilUnnoticed(`INSERT INTO ${table} SELECT CAST(\`key\` AS BLOB), value - 1 FROM server_state`)
  expect((await runFsck(server, '--repair')).code).toBe(0)
  expect(await read()).toEqual(before)
})

test('lists show rows whose text became bytes', async context => {
  onlyOn('sqlite', context)
  const again = await signIn(server.url, user.username, user.password)
  await spoilUnnoticed('UPDATE files SET mime_type = CAST(mime_type AS BLOB), name = CAST(name AS BLOB)')
  expect((await again.call(listFiles, {})).files).toMatchObject([{ name: 'letter.txt', mime_type: 'text/plain' }])
  expect((await again.call(searchFiles, { q: 'letter' })).files).toMatchObject([{ name: 'letter.txt' }])
  const { tags } = await again.call(listTags, {})
  await spoilUnnoticed('UPDATE tags SET name = CAST(name AS BLOB)')
  expect((await again.call(listTags, {})).tags).toEqual(tags)
})
