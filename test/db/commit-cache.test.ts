/** A cache of values that each commit clears: an answer is never older than its request. */
import { readFile, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { systemActor } from '../../src/db/write-actor.ts'
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

test('a value is read again after a commit of this process or of another', async () => {
  for (const [index, db] of [store.db, other, store.db, other].entries()) {
    await setCount(db, index)
    expect(await readCount(store.db)).toBe(index)
    expect(await readCount(store.db)).toBe(index)
  }
})

test('SQLite reads a value once for all readers until the next commit', async context => {
  onlyOn('sqlite', context)
  await setCount(store.db, 7)
  reads = 0
  await readCount(store.db)
  expect(await Promise.all(Array.from({ length: 20 }, () => readCount(store.db)))).toEqual(Array(20).fill(7))
  expect(reads).toBe(1)
})

test('a write sees its own change, and a rollback leaves nothing of it in the cache', async () => {
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

test('an answer is never older than its request, with readers and writers in parallel', async () => {
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
      // A kept value comes at once; without this no writer would ever get its turn.
      await setImmediate()
    }
  }
  await setCount(store.db, 0)
  const askers = Array.from({ length: 5 }, ask)
  await change(store.db)
  await change(other)
  isDone = true
  await Promise.all(askers)
})

test('a database that is closed leaves this process its locks on the files of SQLite', async context => {
  onlyOn('sqlite', context)
  if (store.config.database.dialect !== 'sqlite') return
  const { ino } = await stat(`${store.config.database.file}-shm`)
  const countLocks = async () => {
    const lines = (await readFile('/proc/locks', 'utf8')).split('\n')
    return lines.filter(line => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length
  }
  const before = await countLocks()
  expect(before).toBeGreaterThan(0)
  const third = await openDatabase(store.config.database)
  await third.close()
  expect(await countLocks()).toBe(before)
})
