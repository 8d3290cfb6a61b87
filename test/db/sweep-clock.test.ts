/** The sweep of the store at a start: it moves nothing to quarantine while the clock is suspicious. */
import { utimes } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { day, hour } from '../../src/base/clock.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import type { Deps } from '../../src/deps.ts'
import { openDeps } from '../../src/server/open-deps.ts'
import { runJob } from '../support/jobs.ts'
import { migrateTest } from '../support/migrated.ts'
import { createConfig } from '../support/test-server.ts'

let deps: Deps
let key: string
let drop: () => Promise<void>

beforeEach(async () => {
  const { config, database } = await createConfig()
  await migrateTest(config.database)
  deps = await openDeps(config)
  drop = database.drop
  key = newBlobKey()
  await deps.store.put(
    key,
    (async function* () {
      yield Buffer.from('bytes that no row names')
    })(),
  )
})
afterEach(async () => {
  await deps.db.close()
  await drop()
})

/** Runs the jobs of a start whose clock is this many ms ahead; tells whether the content is still in the store. */
async function startAhead(ms: number): Promise<boolean> {
  await runJob(deps, 'sweep', ms)
  return (await deps.store.size(key)) !== null
}

async function age(ms: number): Promise<void> {
  const time = new Date(Date.now() - ms)
  await utimes(deps.store.local?.fileOf(key) ?? '', time, time)
}

test('a sweep removes content that no row has named for a day', async () => {
  await startAhead(0)
  await age(day + 60_000)
  expect(await startAhead(0)).toBe(false)
})

test.each([[3 * day], [400 * day]])('a sweep removes nothing with a clock that is %i ms ahead', async ms => {
  await startAhead(0)
  expect(await startAhead(ms)).toBe(true)
})

test('a sweep removes nothing with a clock that is behind the last start', async () => {
  await startAhead(20 * hour)
  await age(40 * day)
  expect(await startAhead(-20 * hour)).toBe(true)
})
