/** The journal: what the audit log tells of acts that change nothing, bounded whatever comes. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Journal, openJournal } from '../../src/db/journal.ts'
import type { EventRow } from '../../src/db/models/events.ts'
import { openLog } from '../../src/log.ts'
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
const download = (itemId = 1, actor = ann) => ({ actor, action: 'file.download', itemId, detail: { name: 'a.txt' } })
const refusal = (address: string, username = 'ann') => ({
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

describe('an act', () => {
  test('is told with who did it, from where and when', async () => {
    journal.note(download())
    expect(await flushed()).toEqual([
      {
        id: expect.any(Number),
        at: clock.now(),
        actor_id: 7,
        actor_name: 'ann',
        key_id: null,
        address: '203.0.113.7',
        action: 'file.download',
        space_id: null,
        item_id: 1,
        detail: '{"name":"a.txt"}',
      },
    ])
  })

  test('is written by itself within seconds', async () => {
    journal.note(download())
    await expect.poll(async () => (await written()).length).toBe(1)
  })

  test('is told once in an hour for each caller and item, however often it comes', async () => {
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

describe('a refusal', () => {
  test('is told at once, and what comes again is counted', async () => {
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

  test('that was counted is told at a graceful stop', async () => {
    for (let n = 0; n < 3; n++) journal.refuse(refusal('203.0.113.9'))
    await journal.close()
    expect((await written()).map(({ detail }) => JSON.parse(detail ?? '').more)).toEqual([undefined, 2])
  })

  test('of ever other names and addresses fills neither memory nor table, and their number is told', async () => {
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

  test('is told apart again when the time of the others is over', async () => {
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

describe('a database that is away', () => {
  test('loses nothing of what waits, up to 10,000 events; of more their number is told', async () => {
    let isAway = true
    const { db } = store
    const failing: typeof db = {
      ...db,
      touch: work => (isAway ? Promise.reject(new Error('the database is away')) : db.touch(work)),
    }
    const waiting = openJournal({ db: failing, clock, log: openLog('silent') })
    for (let n = 0; n < 12_345; n++) waiting.note(download(n))
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
