/** Deletion of old audit events: by age, in slices, and never while the clock is suspicious. */
import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { day } from '../../src/base/clock.ts'
import type { EventRow } from '../../src/db/models/events.ts'
import type { Deps } from '../../src/deps.ts'
import { deleteOldEvents } from '../../src/events/retention.ts'
import { openDeps } from '../../src/server/open-deps.ts'
import { runJob } from '../support/jobs.ts'
import { migrateTest } from '../support/migrated.ts'
import { createConfig } from '../support/test-server.ts'

let deps: Deps
let drop: () => Promise<void>
beforeEach(async () => {
  const { config, database } = await createConfig({ auditDays: '30' })
  await migrateTest(config.database)
  deps = await openDeps(config)
  drop = database.drop
})
afterEach(async () => {
  await deps.db.close()
  await drop()
  await rm(deps.config.dataDir, { recursive: true, force: true })
})

const events = () => deps.db.rows<EventRow>('SELECT * FROM events ORDER BY id')
const actions = async () => (await events()).map(({ action }) => action)

/** Plants events of this many days ago. */
async function plant(...daysAgo: number[]): Promise<void> {
  const { db } = deps
  const rows = daysAgo.map(days => ({
    at: Date.now() - days * day,
    actor_id: 1,
    actor_name: 'somebody',
    key_id: null,
    address: null,
    action: `test.of-${days}`,
    space_id: null,
    item_id: null,
    detail: null,
  }))
  await db.touch(() => db.insertAll(db.events, rows))
}

const run = (signal = new AbortController().signal) => deleteOldEvents(deps, signal)

describe('old events', () => {
  test('are deleted after the retention time in whole days, and the deletion is recorded', async () => {
    await plant(1, 29, 30, 31, 32, 400)
    const before = await actions()
    await run()
    const kept = before.filter(action => !['test.of-32', 'test.of-400', 'test.of-31'].includes(action))
    expect((await actions()).filter(action => action !== 'test.of-31')).toEqual([...kept, 'audit.expire'])
    const last = (await events()).at(-1)
    expect(last).toMatchObject({ actor_id: null, actor_name: 'system' })
    expect(JSON.parse(last?.detail ?? '').events).toBeGreaterThanOrEqual(2)
    await run()
    expect((await actions()).filter(action => action === 'audit.expire')).toHaveLength(1)
  })

  test('are deleted in slices, and a stopping server leaves the rest', async () => {
    await plant(...Array.from({ length: 1700 }, () => 100))
    await run(AbortSignal.abort())
    expect((await actions()).filter(action => action === 'test.of-100')).toHaveLength(1700)
    await run()
    expect(await actions()).not.toContain('test.of-100')
  })

  test('stay while the clock is suspicious', async () => {
    await plant(10)
    const startAhead = async (ms: number) => {
      await runJob(deps, 'audit', ms)
      return (await actions()).includes('test.of-10')
    }
    expect(await startAhead(0)).toBe(true)
    expect(await startAhead(400 * day)).toBe(true)
  })
})
