/** Leases between the processes of one database. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Clock } from '../../src/base/clock.ts'
import { backupPrefix, type Leases, openLeases } from '../../src/db/leases.ts'
import { openTestDatabase, type TestStore } from '../support/database.ts'

let store: TestStore
/** Two processes, whose clock the test sets. */
let one: Leases
let other: Leases
let now: number
beforeAll(async () => {
  store = await openTestDatabase()
})
beforeEach(async () => {
  now = 1_000_000
  const clock: Clock = { now: () => now, monotonic: () => 0 }
  await store.db.touch(() => store.db.change('DELETE FROM leases'))
  one = openLeases(store.db, clock)
  other = openLeases(store.db, clock)
})
afterAll(() => store.close())

const hour = 60 * 60 * 1000

test('a lease belongs to one process until that process ends it', async () => {
  expect(await one.take('job')).toBe(true)
  expect(await other.take('job')).toBe(false)
  expect(await one.take('job')).toBe(true)
  await one.end('job')
  expect(await other.take('job')).toBe(true)
})

test('an expired lease can be taken by another process, and then cannot be renewed', async () => {
  await one.take('job')
  now += hour
  expect(await other.take('job')).toBe(true)
  expect(await one.renew('job')).toBe(false)
  await one.end('job')
  expect(await other.renew('job')).toBe(true)
})

test('a lease that is renewed in time stays with its process', async () => {
  await one.take('job')
  for (let minute = 0; minute < 60; minute++) {
    now += 60_000
    expect(await one.renew('job')).toBe(true)
    expect(await other.take('job')).toBe(false)
  }
})

test('one of many processes gets a free lease', async () => {
  const takers = Array.from({ length: 10 }, () => openLeases(store.db, { now: () => now, monotonic: () => 0 }))
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
  now += hour
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
  now += hour
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
  now += hour
  expect(await other.isHeld(backupPrefix)).toBe(false)
  await one.renew(`${backupPrefix}1`)
  expect(await other.isHeld(backupPrefix)).toBe(true)
  await one.end(`${backupPrefix}1`)
  expect(await other.isHeld(backupPrefix)).toBe(false)
})

test('a lease whose expiry a wrong clock set to next year can be taken after the clock is corrected', async () => {
  const right = now
  now += 365 * 24 * hour
  await one.take('job')
  await store.db.touch(() => one.begin('tree:1'))
  await store.db.touch(() => one.begin(`${backupPrefix}1`))
  now = right
  expect(await other.findAbandoned('tree:')).toEqual(['tree:1'])
  expect(await other.findAbandoned(backupPrefix)).toEqual([`${backupPrefix}1`])
  expect(await other.isHeld(backupPrefix)).toBe(false)
  expect(await other.take('job')).toBe(true)
  expect(await one.renew('job')).toBe(false)
})

test('a lease of a running process stays valid through its next renewal when the clock changes', async () => {
  await store.db.touch(() => one.begin(`${backupPrefix}1`))
  for (const move of [-365 * 24 * hour, 2 * 365 * 24 * hour]) {
    now += move
    expect(await one.renew(`${backupPrefix}1`)).toBe(true)
    expect(await other.isHeld(backupPrefix)).toBe(true)
    expect(await other.findAbandoned(backupPrefix)).toEqual([])
  }
})

test('a lease of a machine whose clock is minutes ahead is respected', async () => {
  const ahead = openLeases(store.db, { now: () => now + 5 * 60_000, monotonic: () => 0 })
  await ahead.take('job')
  await store.db.touch(() => ahead.begin(`${backupPrefix}1`))
  expect(await one.take('job')).toBe(false)
  expect(await one.isHeld(backupPrefix)).toBe(true)
})
