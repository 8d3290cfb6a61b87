/** A suspicious clock holds the purge of the trash until the server has run for 24 hours, across restarts. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openLog } from '../../src/base/log.ts'
import { openLeases } from '../../src/db/leases.ts'
import { openClockGuard } from '../../src/server/clock-guard.ts'
import { openTestDatabase, type TestStore } from '../support/database.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let store: TestStore
let now: number
let monotonic: number
beforeAll(async () => {
  store = await openTestDatabase()
})
beforeEach(async () => {
  now = Date.parse('2030-01-01T00:00:00Z')
  monotonic = 5000
  await store.db.touch(async () => {
    await store.db.change('DELETE FROM server_state')
    await store.db.change('DELETE FROM leases')
  })
})
afterAll(() => store.close())

/** The guard of a server that starts now. */
function start() {
  const clock = { now: () => now, monotonic: () => monotonic }
  return openClockGuard({ db: store.db, log: openLog('silent'), clock, leases: openLeases(store.db) })
}

/** Advances both clocks together, as a correct machine does. */
function pass(time: number): void {
  now += time
  monotonic += time
}

/** Stops the server: its monotonic clock starts again at 0, and its leases end. */
async function stopFor(time: number): Promise<void> {
  now += time
  monotonic = 100
  await store.db.touch(() => store.db.change('DELETE FROM leases'))
}

/** Runs for some time and checks the clock every quarter of an hour; returns the rest of the hold. */
async function run(guard: () => Promise<number>, time: number): Promise<number> {
  let left = 0
  for (let passed = 0; passed < time; passed += hour / 4) {
    pass(hour / 4)
    left = await guard()
  }
  return left
}

describe('the purge is not held', () => {
  test('at the first start of a database', async () => {
    expect(await start()()).toBe(0)
  })

  test.each([[0], [minute], [47 * hour], [48 * hour]])('after a stop of %i ms', async time => {
    await start()()
    await stopFor(time)
    expect(await start()()).toBe(0)
  })

  test.each([[-1], [-10 * minute], [-hour]])("at a start whose clock is %i ms behind another machine's", async skew => {
    await start()()
    await stopFor(skew)
    expect(await start()()).toBe(0)
  })

  test('after a correction of the clock by less than an hour', async () => {
    const guard = start()
    await guard()
    now += hour - minute
    expect(await run(guard, hour)).toBe(0)
  })
})

describe('the purge is held for 24 hours', () => {
  test.each([[-hour - 1], [-day], [48 * hour + 1], [400 * day]])(
    'at a start whose clock has moved by %i ms',
    async time => {
      await start()()
      await stopFor(time)
      expect(await start()()).toBe(day)
    },
  )

  test.each([[hour + minute], [-hour - minute], [400 * day]])('after a move of the clock by %i ms', async move => {
    const guard = start()
    await run(guard, hour)
    now += move
    expect(await guard()).toBe(day)
  })

  test('after a drift of more than an hour in several steps', async () => {
    const guard = start()
    await guard()
    const holds: number[] = []
    for (let step = 0; step < 5; step++) {
      pass(minute)
      now += 20 * minute
      holds.push(await guard())
    }
    expect(holds.slice(0, 3)).toEqual([0, 0, 0])
    expect(holds[3]).toBe(day)
  })
})

describe('a hold of the purge', () => {
  const startHeld = async () => {
    await start()()
    await stopFor(100 * day)
    const guard = start()
    expect(await guard()).toBe(day)
    return guard
  }

  test('ends after the server has run for 24 hours', async () => {
    const guard = await startHeld()
    expect(await run(guard, 23 * hour)).toBe(hour)
    expect(await run(guard, hour)).toBe(0)
    expect(await run(guard, hour)).toBe(0)
  })

  test('survives restarts, and the time of a stop does not count', async () => {
    const guard = await startHeld()
    await run(guard, 10 * hour)
    await stopFor(20 * hour)
    const restarted = start()
    expect(await restarted()).toBe(14 * hour)
    expect(await run(restarted, 13 * hour)).toBe(hour)
  })

  test('starts again when the clock moves again', async () => {
    const guard = await startHeld()
    await run(guard, 10 * hour)
    now -= 99 * day
    expect(await guard()).toBe(day)
  })

  test('is shared by all processes, and does not end sooner with several', async () => {
    const guard = await startHeld()
    const other = start()
    expect(await other()).toBe(day)
    for (let passed = 0; passed < 60; passed++) {
      pass(minute)
      await guard()
      await other()
    }
    expect(await guard()).toBe(23 * hour)
  })

  test('that another process starts is not overwritten by a countdown in progress', async () => {
    await start()()
    await stopFor(100 * day)
    const { db } = store
    let meanwhile = async (): Promise<unknown> => undefined
    const racing: typeof db = { ...db, touch: work => meanwhile().then(() => db.touch(work)) }
    const clock = { now: () => now, monotonic: () => monotonic }
    const guard = openClockGuard({ db: racing, log: openLog('silent'), clock, leases: openLeases(db) })
    await guard()
    expect(await run(guard, 20 * hour)).toBe(4 * hour)
    meanwhile = () => db.touch(() => db.change("UPDATE server_state SET value = $1 WHERE `key` = 'purge_hold'", [day]))
    pass(minute)
    expect(await guard()).toBe(day - minute)
  })

  test('counts down once when two calls run at the same time', async () => {
    const guard = await startHeld()
    pass(hour)
    expect(await Promise.all([guard(), guard()])).toEqual([23 * hour, 23 * hour])
  })
})
