/** The settings of every connection, read from the database itself. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemActor } from '../../src/db/write-actor.ts'
import { openTestDatabase, type TestStore } from '../support/database.ts'
import { onlyOn } from '../support/only-on.ts'

let store: TestStore

beforeAll(async () => {
  store = await openTestDatabase()
})
afterAll(() => store.close())

/** Reads settings on the writer, and on more readers than exist. */
async function readEverywhere(sql: string): Promise<Record<string, unknown>[]> {
  const read = () => store.db.row<Record<string, unknown>>(sql)
  const onWriter = await store.db.write(systemActor, async record => {
    record.nothing()
    return read()
  })
  const onReaders = await Promise.all(Array.from({ length: 4 }, read))
  return [onWriter, ...onReaders].map(row => row ?? {})
}

test('every SQLite connection syncs each commit, enforces foreign keys and waits for locks', async context => {
  onlyOn('sqlite', context)
  const expected = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, busy_timeout: 10_000, cache_size: -16_000 }
  for (const [pragma, value] of Object.entries(expected)) {
    const rows = await readEverywhere(`SELECT * FROM pragma_${pragma}`)
    expect(rows.map(row => Object.values(row)[0])).toEqual(Array(5).fill(value))
  }
})

test('SQLite readers refuse every change', async context => {
  onlyOn('sqlite', context)
  const rows = await Promise.all(
    Array.from({ length: 3 }, () => store.db.row('SELECT query_only FROM pragma_query_only')),
  )
  expect(rows).toEqual(Array(3).fill({ query_only: 1 }))
})

test('MariaDB sessions read committed rows, and only a write may change rows', async context => {
  onlyOn('mariadb', context)
  const rows = await readEverywhere('SELECT @@tx_isolation AS isolation, @@tx_read_only AS read_only')
  expect(new Set(rows.map(row => row.isolation))).toEqual(new Set(['READ-COMMITTED']))
  expect(new Set(rows.map(row => row.read_only))).toEqual(new Set([1]))
})

test('a MariaDB connection closes the prepared statements that it has not used for longest', async context => {
  onlyOn('mariadb', context)
  const closed = await store.db.touch(async () => {
    for (let index = 0; index < 300; index++) await store.db.rows(`SELECT ${index} + $1 AS sum`, [1])
    return store.db.row<{ count: string }>(
      "SELECT VARIABLE_VALUE AS count FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'COM_STMT_CLOSE'",
    )
  })
  expect(Number(closed?.count)).toBeGreaterThanOrEqual(100)
})

test('text comparison is bytewise and without padding', async () => {
  const insert = (name: string) =>
    store.db.change(`INSERT INTO roles (name, is_system, created_at, updated_at) VALUES ('${name}', 0, 0, 0)`)
  await store.db.touch(async () => {
    for (const name of ['b', 'b ', 'B', 'ß', 'ss', 'é', 'e']) await insert(name)
  })
  const rows = await store.db.rows('SELECT name FROM roles WHERE name = $1', ['b'])
  expect(rows).toEqual([{ name: 'b' }])
})
