/** The purge of the trash by the server's jobs: it deletes nothing while the clock is suspicious. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { day, hour, systemClock } from '../../src/base/clock.ts'
import { readState } from '../../src/db/server-state.ts'
import { startJobs } from '../../src/server/jobs.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { withOwnFigures } from '../support/own-figures.ts'
import { countItems, expectTrueCounters } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
/** How many ms the machine's clock is ahead. */
let ahead: number
let stop: () => Promise<void>

beforeEach(async () => {
  ahead = 0
  server = await startServer()
  user = await buildUser(server)
  // A folder with a file, and a single file, both moved to the trash today.
  const folder = await buildFolder(user)
  await buildFile(user, { parent_id: folder.id })
  for (const { id } of [folder, await buildFile(user)]) await user.call(trashFile, { id })
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  stop = async () => undefined
})
afterEach(async () => {
  await stop()
  vi.useRealTimers()
  await server.close()
})

/** Starts the jobs; `stop` waits for those in progress. Returns the names of those that have run. */
function start(): () => Promise<string> {
  const deps = { ...withOwnFigures(server.deps), clock: { ...systemClock, now: () => Date.now() + ahead } }
  stop = startJobs(deps).stop
  return () => deps.metrics.getSingleMetricAsString('filestore_job_last_run_timestamp_seconds')
}
const isHeld = async () => ((await readState(server.deps.db, 'purge_hold')) ?? 0) > 0

async function expectAllThere(): Promise<void> {
  await stop()
  expect(await countItems(server, user)).toBe(3)
  await expectTrueCounters(server, user)
}

test.each([[31 * day], [400 * day]])('the purge deletes nothing at a start whose clock is %i ms ahead', async ms => {
  ahead = ms
  start()
  await expect.poll(isHeld).toBe(true)
  await expectAllThere()
})

test.each([[31 * day], [400 * day]])(
  'the purge deletes nothing after the clock of a running server moves ahead by %i ms',
  async ms => {
    const readEnded = start()
    // A purge that has found the clock right would go by the one that is wrong now.
    await expect.poll(readEnded).toContain('job="purge"')
    ahead = ms
    await vi.advanceTimersByTimeAsync(2 * hour)
    await expect.poll(isHeld).toBe(true)
    await vi.advanceTimersByTimeAsync(2 * hour)
    await expectAllThere()
  },
)

test('the purge deletes nothing after starts with a clock moved ahead and back', async () => {
  start()
  await stop()
  for (ahead of [400 * day, 0]) {
    start()
    await expect.poll(isHeld).toBe(true)
    await stop()
  }
  await expectAllThere()
})

test('the purge deletes items that have been in the trash long enough by a correct clock', async () => {
  const { db } = server.deps
  await db.touch(() => db.change('UPDATE files SET deleted_at = $1', [Date.now() - 31 * day]))
  start()
  await expect.poll(() => countItems(server, user)).toBe(0)
})
