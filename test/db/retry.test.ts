/** Writes are repeated when the database asks for that. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connections } from '../../src/db/connections.ts'
import type { Recorded, WriteEvent } from '../../src/db/recorder.ts'
import { openWriter } from '../../src/db/write.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import { addSpace, openTestDatabase, type TestStore } from '../support/database.ts'
import { onlyOn } from '../support/only-on.ts'

const busy = () => Object.assign(new Error('busy'), { code: 'BUSY' })

/** Connections whose statements fail this many times. Nothing else can make BEGIN or COMMIT fail on demand. */
function openFailing(failures: Record<string, number>) {
  const log: string[] = []
  const left = { ...failures }
  const connections: Connections = {
    begin: 'BEGIN',
    refuseEnded: async () => undefined,
    beginSnapshot: async () => undefined,
    endSnapshot: async () => undefined,
    reader: async () => ({}),
    release: () => undefined,
    execute: async (_connection, sql) => {
      log.push(sql)
      const count = left[sql] ?? 0
      left[sql] = count - 1
      if (count > 0) throw busy()
    },
    select: async () => [],
    change: async () => ({ count: 0, lastId: 0 }),
    withWriter: (_turn, job) => job({}),
    lock: async () => undefined,
    isHeld: () => false,
    hold: () => () => undefined,
    isCluster: () => false,
    waiting: () => 0,
    mayRetry: error => error instanceof Error && 'code' in error && error.code === 'BUSY',
    close: async () => undefined,
  }
  const saved: WriteEvent[][] = []
  const save = async (_actor: unknown, { events }: Recorded) => {
    saved.push([...events])
  }
  const writer = openWriter(connections, save, () => undefined)
  return { ...writer, log, saved }
}

describe('a write whose transaction is refused', () => {
  test.each([
    ['BEGIN', ['BEGIN', 'ROLLBACK', 'BEGIN', 'COMMIT'], 1],
    ['COMMIT', ['BEGIN', 'COMMIT', 'ROLLBACK', 'BEGIN', 'COMMIT'], 2],
  ])('at %s runs again from its start', async (statement, expected, expectedRuns) => {
    const { write, log } = openFailing({ [statement]: 1 })
    let runs = 0
    const result = await write(systemActor, async record => {
      record('session.end', { id: 1 })
      runs += 1
      return runs
    })
    expect(log).toEqual(expected)
    expect([runs, result]).toEqual([expectedRuns, expectedRuns])
  })

  test('keeps no events of a failed attempt', async () => {
    const { write, saved } = openFailing({})
    let runs = 0
    await write(systemActor, async record => {
      runs += 1
      record('session.end', { id: runs })
      if (runs < 3) throw busy()
    })
    expect(saved.map(events => events.map(({ itemId }) => itemId))).toEqual([[3]])
  })

  test('gives up after ten attempts within two seconds, with the last error', async () => {
    const { write, touch } = openFailing({ BEGIN: 99 })
    await expect(write(systemActor, async record => record.nothing())).rejects.toThrow('busy')
    await expect(touch(async () => undefined)).rejects.toThrow('busy')
    const { log, ...other } = openFailing({ COMMIT: 99 })
    await expect(other.write(systemActor, async record => record.nothing())).rejects.toThrow('busy')
    expect(log.filter(sql => sql === 'COMMIT')).toHaveLength(10)
  })

  test('does not run again after any other error', async () => {
    const { write } = openFailing({})
    let runs = 0
    const failing = write(systemActor, async () => {
      runs += 1
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(runs).toBe(1)
  })
})

describe('writes and reads on a real database', () => {
  let store: TestStore
  let spaces: number[]
  beforeAll(async () => {
    store = await openTestDatabase()
    spaces = [(await addSpace(store.db, 'one')).spaceId, (await addSpace(store.db, 'two')).spaceId]
  })
  afterAll(() => store.close())

  const count = (id: number | undefined) =>
    store.db.change('UPDATE spaces SET item_count = item_count + 1 WHERE id = $1', [id ?? 0])

  test('two writes that lock the same rows in opposite order both succeed', async context => {
    onlyOn('mariadb', context)
    let tries = 0
    let waiting = 0
    let letGo: () => void = () => undefined
    const bothHoldOne = new Promise<void>(resolve => {
      letGo = resolve
    })
    const crossing = (order: number[]) =>
      store.db.write(systemActor, async record => {
        tries += 1
        record('session.end', { id: 1 })
        await count(order[0])
        waiting += 1
        if (waiting === 2) letGo()
        await bothHoldOne
        await count(order[1])
      })
    await Promise.all([crossing(spaces), crossing([...spaces].reverse())])
    expect(tries).toBe(3)
    const rows = await store.db.rows<{ item_count: number }>('SELECT item_count FROM spaces ORDER BY id')
    expect(rows.map(row => row.item_count)).toEqual([2, 2])
    expect(await store.db.rows("SELECT id FROM events WHERE action = 'session.end'")).toHaveLength(2)
  })

  test('reads are answered while more writes than connections wait for one row', async () => {
    let letGo: () => void = () => undefined
    const released = new Promise<void>(resolve => {
      letGo = resolve
    })
    const [id] = spaces
    const write = (wait: Promise<void>) =>
      store.db.write(systemActor, async record => {
        record.nothing()
        await count(id)
        await wait
      })
    const writes = Array.from({ length: 20 }, () => write(released))
    const reads = await Promise.all(Array.from({ length: 10 }, () => store.db.row('SELECT COUNT(*) AS n FROM users')))
    expect(reads).toHaveLength(10)
    letGo()
    await Promise.all(writes)
  })
})
