/** Leases between the processes of one database. */
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { backupPrefix, type Leases, openLeases } from '../../src/db/leases.ts'
import { keepLease } from '../../src/db/with-lease.ts'
import { openTestDatabase, type TestStore } from '../support/database.ts'

let store: TestStore
/** Two processes. */
let one: Leases
let other: Leases
beforeAll(async () => {
  store = await openTestDatabase()
})
beforeEach(async () => {
  await store.db.touch(() => store.db.change('DELETE FROM leases'))
  one = openLeases(store.db)
  other = openLeases(store.db)
})
afterAll(() => store.close())

const hour = 60 * 60 * 1000

/** Lets `time` ms pass on the database's clock, as leases see it; a negative time sets the clock back. */
const pass = (time: number) =>
  store.db.touch(() => store.db.change('UPDATE leases SET expires_at = expires_at - $1', [time]))

test('a lease belongs to one process until that process ends it', async () => {
  expect(await one.take('job')).toBe(true)
  expect(await other.take('job')).toBe(false)
  expect(await one.take('job')).toBe(true)
  await one.end('job')
  expect(await other.take('job')).toBe(true)
})

test('an expired lease can be taken by another process, and then cannot be renewed', async () => {
  await one.take('job')
  await pass(hour)
  expect(await other.take('job')).toBe(true)
  expect(await one.renew('job')).toBe(false)
  await one.end('job')
  expect(await other.renew('job')).toBe(true)
})

test('a lease that is renewed in time stays with its process', async () => {
  await one.take('job')
  for (let minute = 0; minute < 60; minute++) {
    await pass(60_000)
    expect(await one.renew('job')).toBe(true)
    expect(await other.take('job')).toBe(false)
  }
})

test('one of many processes gets a free lease', async () => {
  const takers = Array.from({ length: 10 }, () => openLeases(store.db))
  const taken = await Promise.all(takers.map(leases => leases.take('wanted')))
  expect(taken.filter(Boolean)).toHaveLength(1)
})

test('a lease that its process left is found by others after it expires or is abandoned', async () => {
  await store.db.touch(() => one.begin('tree:1'))
  await store.db.touch(() => one.begin('tree:2'))
  await one.take('job')
  expect(await other.findAbandoned('tree:')).toEqual([])
  await one.abandon('tree:2')
  expect(await other.findAbandoned('tree:')).toEqual(['tree:2'])
  await pass(hour)
  expect(await other.findAbandoned('tree:')).toEqual(['tree:1', 'tree:2'])
  // The process itself is still at work, whatever the clock says.
  expect(await one.findAbandoned('tree:')).toEqual(['tree:2'])
})

test('a lease of another process is found although a rolled back write of this process once began it', async () => {
  const broken = store.db.touch(async () => {
    await one.begin('tree:1')
    throw new Error('the write fails')
  })
  await expect(broken).rejects.toThrow('the write fails')
  await store.db.touch(() => other.begin('tree:1'))
  await pass(hour)
  expect(await one.findAbandoned('tree:')).toEqual(['tree:1'])
})

test('a revoked lease belongs to no process', async () => {
  await store.db.touch(() => one.begin('tree:1'))
  await store.db.touch(() => other.revoke('tree:1'))
  expect(await one.renew('tree:1')).toBe(false)
  expect(await other.findAbandoned('tree:')).toEqual([])
})

test('a process that is alone abandons all leases at its start', async () => {
  await store.db.touch(() => one.begin('tree:1'))
  await other.abandonAll()
  expect(await other.findAbandoned('tree:')).toEqual(['tree:1'])
  expect(await other.take('tree:1')).toBe(true)
})

test('a lease is held until its end or expiry, and a starting server does not abandon that of a backup', async () => {
  expect(await other.isHeld(backupPrefix)).toBe(false)
  await store.db.touch(() => one.begin(`${backupPrefix}1`))
  await other.abandonAll()
  expect(await other.isHeld(backupPrefix)).toBe(true)
  expect(await other.isHeld('tree:')).toBe(false)
  await pass(hour)
  expect(await other.isHeld(backupPrefix)).toBe(false)
  await one.renew(`${backupPrefix}1`)
  expect(await other.isHeld(backupPrefix)).toBe(true)
  await one.end(`${backupPrefix}1`)
  expect(await other.isHeld(backupPrefix)).toBe(false)
})

test('a lease whose expiry a wrong clock set to next year can be taken after the clock is corrected', async () => {
  await one.take('job')
  await store.db.touch(() => one.begin('tree:1'))
  await store.db.touch(() => one.begin(`${backupPrefix}1`))
  await pass(-365 * 24 * hour)
  expect(await other.findAbandoned('tree:')).toEqual(['tree:1'])
  expect(await other.findAbandoned(backupPrefix)).toEqual([`${backupPrefix}1`])
  expect(await other.isHeld(backupPrefix)).toBe(false)
  expect(await other.take('job')).toBe(true)
  expect(await one.renew('job')).toBe(false)
})

test('a lease of a running process stays valid through its next renewal when the clock changes', async () => {
  await store.db.touch(() => one.begin(`${backupPrefix}1`))
  for (const move of [-365 * 24 * hour, 2 * 365 * 24 * hour]) {
    await pass(move)
    expect(await one.renew(`${backupPrefix}1`)).toBe(true)
    expect(await other.isHeld(backupPrefix)).toBe(true)
    expect(await other.findAbandoned(backupPrefix)).toEqual([])
  }
})

test('a lease stays valid when the clock of the database is set back by minutes', async () => {
  await one.take('job')
  await pass(-10 * 60_000)
  expect(await other.take('job')).toBe(false)
})

test("a lease does not depend on the clock of its process's machine", async () => {
  const { now } = Date
  try {
    for (const wrong of [-600_000, 600_000]) {
      Date.now = () => now() + wrong
      const skewed = openLeases(store.db)
      expect(await skewed.take(`job:${wrong}`)).toBe(true)
      await store.db.touch(() => skewed.begin(`${backupPrefix}${wrong}`))
      Date.now = now
      expect(await one.take(`job:${wrong}`)).toBe(false)
      expect(await one.isHeld(`${backupPrefix}${wrong}`)).toBe(true)
      expect(await one.findAbandoned('')).toEqual([])
      await one.take(`own:${wrong}`)
      Date.now = () => now() + wrong
      expect(await skewed.take(`own:${wrong}`)).toBe(false)
      expect(await skewed.findAbandoned('')).toEqual([])
    }
  } finally {
    Date.now = now
  }
})

test('work that was paused beyond its lease goes on where nobody else has begun, and learns of it where one has', async () => {
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  const { signal } = new AbortController()
  await store.db.touch(() => one.begin('job'))
  await keepLease(one, 'job', signal, async held => {
    clock.mockReturnValue(hour)
    await pass(hour)
    expect([await held.confirm(), held.signal.aborted]).toEqual([true, false])
    clock.mockReturnValue(2 * hour)
    await pass(hour)
    for (const name of await other.findAbandoned('job')) await store.db.touch(() => other.revoke(name))
    expect([await held.confirm(), held.signal.aborted]).toEqual([false, true])
  })
})
