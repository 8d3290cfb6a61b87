/** Leases between the processes of one database. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Clock } from '../../src/base/clock.ts'
import { backupPrefix, type Leases, openLeases } from '../../src/db/leases.ts'
import { openTestDatabase, type TestStore } from '../support/database.ts'

let store: TestStore
/** Two processes, whose clock is the test's. */
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

test('a lease is one process’s until it ends it', async () => {
  expect(await one.take('job')).toBe(true)
  expect(await other.take('job')).toBe(false)
  expect(await one.take('job')).toBe(true)
  await one.end('job')
  expect(await other.take('job')).toBe(true)
})

test('one that is not renewed is another’s once it has expired, and cannot be renewed then', async () => {
  await one.take('job')
  now += hour
  expect(await other.take('job')).toBe(true)
  expect(await one.renew('job')).toBe(false)
  await one.end('job')
  expect(await other.renew('job')).toBe(true)
})

test('one that is renewed in time stays', async () => {
  await one.take('job')
  for (let minute = 0; minute < 60; minute++) {
    now += 60_000
    expect(await one.renew('job')).toBe(true)
    expect(await other.take('job')).toBe(false)
  }
})

test('of many that want a free one at once, one gets it', async () => {
  const takers = Array.from({ length: 10 }, () => openLeases(store.db, { now: () => now, monotonic: () => 0 }))
  const taken = await Promise.all(takers.map(leases => leases.take('wanted')))
  expect(taken.filter(Boolean)).toHaveLength(1)
})

test('what a process began and left is found by others when it has expired, or been abandoned', async () => {
  await store.db.touch(() => one.begin('tree:1'))
  await store.db.touch(() => one.begin('tree:2'))
  await one.take('job')
  expect(await other.findAbandoned('tree:')).toEqual([])
  await one.abandon('tree:2')
  expect(await other.findAbandoned('tree:')).toEqual(['tree:2'])
  now += hour
  expect(await other.findAbandoned('tree:')).toEqual(['tree:1', 'tree:2'])
  // The process that is at work knows better than its clock.
  expect(await one.findAbandoned('tree:')).toEqual(['tree:2'])
})

test('what another process left is found although this one had once begun it in a write that was rolled back', async () => {
  const broken = store.db.touch(async () => {
    await one.begin('tree:1')
    throw new Error('the write fails')
  })
  await expect(broken).rejects.toThrow('the write fails')
  await store.db.touch(() => other.begin('tree:1'))
  now += hour
  expect(await one.findAbandoned('tree:')).toEqual(['tree:1'])
})

test('one that is revoked is nobody’s any more, whoever had it', async () => {
  await store.db.touch(() => one.begin('tree:1'))
  await store.db.touch(() => other.revoke('tree:1'))
  expect(await one.renew('tree:1')).toBe(false)
  expect(await other.findAbandoned('tree:')).toEqual([])
})

test('all are abandoned at the start of a process that knows itself to be alone', async () => {
  await store.db.touch(() => one.begin('tree:1'))
  await other.abandonAll()
  expect(await other.findAbandoned('tree:')).toEqual(['tree:1'])
  expect(await other.take('tree:1')).toBe(true)
})

test('one is held until its end or expiry, and a backup’s is not abandoned by a server that starts', async () => {
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

test('one that a clock which was wrong has given until next year is nobody’s once that clock is right', async () => {
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

test('one whose process lives goes on by its next renewal, wherever the clock was put', async () => {
  await store.db.touch(() => one.begin(`${backupPrefix}1`))
  for (const move of [-365 * 24 * hour, 2 * 365 * 24 * hour]) {
    now += move
    expect(await one.renew(`${backupPrefix}1`)).toBe(true)
    expect(await other.isHeld(backupPrefix)).toBe(true)
    expect(await other.findAbandoned(backupPrefix)).toEqual([])
  }
})

test('one of a machine whose clock is some minutes ahead is respected', async () => {
  const ahead = openLeases(store.db, { now: () => now + 5 * 60_000, monotonic: () => 0 })
  await ahead.take('job')
  await store.db.touch(() => ahead.begin(`${backupPrefix}1`))
  expect(await one.take('job')).toBe(false)
  expect(await one.isHeld(backupPrefix)).toBe(true)
})
