/** The journal: audit events for actions that change nothing, limited in number. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openLog } from '../../src/base/log.ts'
import type { Note } from '../../src/db/event-queue.ts'
import { type Journal, openJournal } from '../../src/db/journal.ts'
import type { EventRow } from '../../src/db/models/events.ts'
import { openTestDatabase, type TestStore } from '../support/database.ts'

const minute = 60_000
const day = 24 * 60 * minute

let store: TestStore
let journal: Journal
let monotonic: number
const clock = { now: () => 1_900_000_000_000 + monotonic, monotonic: () => monotonic }
beforeAll(async () => {
  store = await openTestDatabase()
})
beforeEach(async () => {
  monotonic = 1000
  journal = openJournal({ db: store.db, clock, log: openLog('silent') })
  await store.db.touch(() => store.db.change('DELETE FROM events'))
})
afterEach(() => journal.close())
afterAll(() => store.close())

const ann = { userId: 7, name: 'ann', keyId: null, address: '203.0.113.7' }
const stranger = (address: string) => ({ userId: null, name: 'system', keyId: null, address })
const download = (itemId = 1, actor = ann): Note => ({
  actor,
  action: 'file.download',
  itemId,
  detail: { name: 'a.txt' },
})
/** A user with this id. */
const user = (userId: number) => ({ ...ann, userId, name: `user ${userId}` })
const refusal = (address: string, username = 'ann'): Note => ({
  actor: stranger(address),
  action: 'session.refuse',
  itemId: null,
  detail: { username, reason: 'wrong password' },
})
const written = () => store.db.rows<EventRow>('SELECT * FROM events ORDER BY id')
const flushed = async () => {
  await journal.flush()
  return written()
}

describe('an action', () => {
  test('is recorded with user, address and time', async () => {
    journal.note(download())
    expect(await flushed()).toEqual([
      {
        id: expect.any(Number),
        at: clock.now(),
        actor_id: 7,
        actor_name: 'ann',
        key_id: null,
        link_id: null,
        address: '203.0.113.7',
        action: 'file.download',
        space_id: null,
        item_id: 1,
        detail: '{"name":"a.txt"}',
        revision: null,
      },
    ])
  })

  test('is written within seconds', async () => {
    journal.note(download())
    await expect.poll(async () => (await written()).length).toBe(1)
  })

  test('is recorded once an hour for each caller and item', async () => {
    for (let n = 0; n < 500; n++) journal.note(download())
    journal.note(download(2))
    journal.note(download(1, { ...ann, address: '203.0.113.8' }))
    expect(await flushed()).toHaveLength(3)
    monotonic += 59 * minute
    journal.note(download())
    expect(await flushed()).toHaveLength(3)
    monotonic += 2 * minute
    journal.note(download())
    expect(await flushed()).toHaveLength(4)
  })
})

describe('the actions of one user', () => {
  const others = { actor_id: 7, actor_name: 'ann', action: 'file.download', item_id: null, key_id: null, address: null }
  const detailOf = ({ detail }: EventRow) => JSON.parse(detail ?? '')

  test('are recorded for 1,000 items an hour, and beyond that as a number', async () => {
    for (let n = 0; n < 30_000; n++) journal.note(download(n % 15_000))
    const rows = await flushed()
    expect(rows).toHaveLength(1001)
    expect(rows.slice(0, 1000).map(({ item_id }) => item_id)).toEqual(Array.from({ length: 1000 }, (_, n) => n))
    expect(rows.at(-1)).toMatchObject(others)
    expect(detailOf(rows.at(-1) as EventRow)).toEqual({ reason: 'more within an hour than is told one by one' })
    await journal.close()
    const last = (await written()).at(-1)
    expect(last).toMatchObject(others)
    // The first 1,000 items come again, and are already recorded.
    expect(detailOf(last as EventRow)).toEqual({
      reason: 'more within an hour than is told one by one',
      more: 30_000 - 2000 - 1,
    })
  })

  test('are recorded one by one again after an hour', async () => {
    for (let n = 0; n < 2000; n++) journal.note(download(n))
    expect(await flushed()).toHaveLength(1001)
    monotonic += 61 * minute
    journal.note(download(5000))
    const rows = await flushed()
    expect(rows.slice(1001).map(row => [row.item_id, detailOf(row).more])).toEqual([
      [null, 999],
      [5000, undefined],
    ])
  })

  test('cause no repeated events for another user, and hide no other kind of action', async () => {
    const bob = user(8)
    journal.note(download(1, bob))
    for (let n = 0; n < 50_000; n++) journal.note(download(n))
    journal.note(download(1, bob))
    journal.note(download(2, bob))
    journal.note({ actor: ann, action: 'audit.export', itemId: null, detail: {} })
    const rows = await flushed()
    expect(rows.filter(({ actor_id }) => actor_id === 8).map(({ item_id }) => item_id)).toEqual([1, 2])
    expect(rows.filter(({ action }) => action === 'audit.export')).toHaveLength(1)
  })

  test('with equal details are recorded separately for different items', async () => {
    const archive = (about: string): Note => ({
      actor: ann,
      action: 'file.download',
      itemId: null,
      detail: { items: 2 },
      about,
    })
    for (const about of ['1,2', '3,4', '1,2']) journal.note(archive(about))
    expect((await flushed()).map(({ detail }) => detail)).toEqual(['{"items":2}', '{"items":2}'])
  })
})

describe('a refusal', () => {
  test('is recorded at once, and repetitions are counted', async () => {
    for (let n = 0; n < 10_000; n++) journal.refuse(refusal('203.0.113.9'))
    expect(await flushed()).toHaveLength(1)
    monotonic += 16 * minute
    journal.refuse(refusal('203.0.113.9'))
    expect((await flushed()).map(({ detail }) => JSON.parse(detail ?? ''))).toEqual([
      { username: 'ann', reason: 'wrong password' },
      { username: 'ann', reason: 'wrong password', more: 9999 },
      { username: 'ann', reason: 'wrong password' },
    ])
  })

  test('has its count recorded when the server stops', async () => {
    for (let n = 0; n < 3; n++) journal.refuse(refusal('203.0.113.9'))
    await journal.close()
    expect((await written()).map(({ detail }) => JSON.parse(detail ?? '').more)).toEqual([undefined, 2])
  })

  test('for ever new names and addresses does not fill memory or table, and the rest is recorded as a number', async () => {
    for (let n = 0; n < 100_000; n++) journal.refuse(refusal(`2001:db8::${n.toString(16)}`, `name ${n}`))
    journal.refuse({ ...refusal('203.0.113.9'), action: 'api-key.refuse' })
    const rows = await flushed()
    expect(rows).toHaveLength(1002)
    expect(rows.at(-1)).toMatchObject({ action: 'api-key.refuse', address: '203.0.113.9' })
    await journal.close()
    const last = (await written()).at(-1)
    expect(last).toMatchObject({ action: 'session.refuse', address: null })
    expect(JSON.parse(last?.detail ?? '').more).toBe(98_999)
  })

  test("of one user's many keys does not hide refusals of other users", async () => {
    const forbid = (actor: typeof ann, n: number): Note => ({
      actor: { ...actor, keyId: n },
      action: 'api-key.forbid',
      itemId: n,
      detail: { call: 'GET /users' },
    })
    journal.refuse(forbid(user(8), 1))
    for (let n = 0; n < 20_000; n++) journal.refuse(forbid(ann, n))
    journal.refuse(forbid(user(8), 1))
    journal.refuse(forbid(user(8), 2))
    const rows = await flushed()
    expect(rows.filter(({ actor_id }) => actor_id === 8).map(({ item_id }) => item_id)).toEqual([1, 2])
    expect(rows.filter(({ actor_id }) => actor_id === 7)).toHaveLength(1001)
    await journal.close()
    const more = (await written()).filter(({ detail }) => detail?.includes('more'))
    expect(more.map(row => [row.actor_id, row.item_id, JSON.parse(row.detail ?? '').more])).toEqual([
      [8, 1, 1],
      [7, null, 18_999],
    ])
  })

  test('is recorded separately again after the others have expired', async () => {
    for (let n = 0; n < 2000; n++) journal.refuse(refusal('203.0.113.9', `name ${n}`))
    await journal.flush()
    monotonic += day
    journal.note(download())
    await expect
      .poll(async () => {
        journal.refuse(refusal('203.0.113.9', 'a name of its own'))
        return (await flushed()).some(({ detail }) => detail?.includes('a name of its own'))
      })
      .toBe(true)
  })
})

describe('a database that cannot be reached', () => {
  test('loses none of up to 10,000 waiting events, and records the number of the others', async () => {
    let isAway = true
    const { db } = store
    const failing: typeof db = {
      ...db,
      touch: work => (isAway ? Promise.reject(new Error('the database is away')) : db.touch(work)),
    }
    const waiting = openJournal({ db: failing, clock, log: openLog('silent') })
    for (let n = 0; n < 12_345; n++) waiting.note(download(n, user(Math.floor(n / 1000))))
    await waiting.flush()
    expect(await written()).toEqual([])
    isAway = false
    await waiting.flush()
    const rows = await written()
    expect(rows).toHaveLength(10_001)
    expect(rows.slice(0, 10_000).map(({ item_id }) => item_id)).toEqual(Array.from({ length: 10_000 }, (_, n) => n))
    expect(rows.at(-1)).toMatchObject({ action: 'audit.lose', actor_name: 'system', detail: '{"events":2345}' })
    await waiting.close()
  })
})

describe('free space below the reserve', () => {
  test('limits the events written in a day, and the others wait for more space or the end', async () => {
    let isLow = true
    journal = openJournal({ db: store.db, clock, log: openLog('silent'), isLow: async () => isLow })
    let item = 0
    const note = (count: number) => {
      for (let n = 0; n < count; n++) journal.note(download(++item, user(Math.floor(item / 1000))))
    }
    note(6000)
    expect(await flushed()).toHaveLength(6000)
    note(6000)
    expect(await flushed()).toHaveLength(10_000)
    expect(journal.waiting()).toBe(2000)
    monotonic += day
    note(10)
    expect(await flushed()).toHaveLength(12_010)
    note(9000)
    expect(await flushed()).toHaveLength(20_000)
    isLow = false
    expect(await flushed()).toHaveLength(21_010)
    isLow = true
    note(5)
    await journal.close()
    expect(await written()).toHaveLength(21_015)
  })

  test('does not count events that could not be written', async () => {
    let isFull = true
    const db = {
      ...store.db,
      touch: <T>(work: () => Promise<T>) => (isFull ? Promise.reject(new Error('full')) : store.db.touch(work)),
    }
    journal = openJournal({ db, clock, log: openLog('silent'), isLow: async () => true })
    for (let item = 0; item < 1500; item++) journal.note(download(item, user(Math.floor(item / 1000))))
    for (let second = 0; second < 12; second++) expect(await flushed()).toEqual([])
    isFull = false
    expect(await flushed()).toHaveLength(1500)
  })
})
