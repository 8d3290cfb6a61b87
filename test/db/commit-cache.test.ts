/** Values that are kept until something is committed: they are never older than the question for them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { systemActor } from '../../src/db/write.ts'
import { addSpace, openTestDatabase, type TestStore } from '../support/database.ts'
import { onlyOn } from '../support/only-on.ts'

let store: TestStore
let other: Database
let spaceId: number

beforeAll(async () => {
  store = await openTestDatabase()
  spaceId = (await addSpace(store.db, 'keeper')).spaceId
  // Stands for another process, such as `filestore admin` beside a server.
  other = await openDatabase(store.config.database)
})
afterAll(async () => {
  await other.close()
  await store.close()
})

let reads = 0
const readCount = (db: Database): Promise<number | undefined> =>
  db.cached(`count ${spaceId}`, async () => {
    reads += 1
    const sql = 'SELECT item_count FROM spaces WHERE id = $1'
    return (await db.row<{ item_count: number }>(sql, [spaceId]))?.item_count
  })
const setCount = (db: Database, count: number) =>
  db.touch(() => db.change('UPDATE spaces SET item_count = $1 WHERE id = $2', [count, spaceId]))

test('a value is asked for again after a commit, whether of this process or of another', async () => {
  for (const [index, db] of [store.db, other, store.db, other].entries()) {
    await setCount(db, index)
    expect(await readCount(store.db)).toBe(index)
    expect(await readCount(store.db)).toBe(index)
  }
})

test('SQLite reads a value once for all who ask while nothing is committed', async context => {
  onlyOn('sqlite', context)
  await setCount(store.db, 7)
  reads = 0
  await readCount(store.db)
  expect(await Promise.all(Array.from({ length: 20 }, () => readCount(store.db)))).toEqual(Array(20).fill(7))
  expect(reads).toBe(1)
})

test('a write sees what it has changed itself, and leaves nothing of it behind when it is undone', async () => {
  await setCount(store.db, 1)
  const failing = store.db.write(systemActor, async record => {
    record.nothing()
    await setCount(store.db, 2)
    expect(await readCount(store.db)).toBe(2)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await readCount(store.db)).toBe(1)
})

test('no answer is older than its question, however many ask and change at once', async () => {
  let committed = 0
  const change = async (db: Database) => {
    for (let count = 0; count < 50; count++) {
      await setCount(db, committed + 1)
      committed += 1
    }
  }
  let isDone = false
  const ask = async () => {
    while (!isDone) {
      const least = committed
      expect(await readCount(store.db)).toBeGreaterThanOrEqual(least)
    }
  }
  await setCount(store.db, 0)
  const askers = Array.from({ length: 5 }, ask)
  await change(store.db)
  await change(other)
  isDone = true
  await Promise.all(askers)
})
