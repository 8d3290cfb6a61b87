/** Fifty kills under load on the database of FILESTORE_TEST_DATABASE, SQLite without it; prints what survived. */
import { expect, test } from 'vitest'
import { killAgainAndAgain, leastChanges } from '../kills/run.ts'

test('fifty kills under eight uploads, moves, deletions and purges lose nothing', async () => {
  const { kills, changes, swept } = await killAgainAndAgain(50)
  expect(kills).toBe(50)
  expect(changes).toBeGreaterThanOrEqual(50 * leastChanges)
  // Uploads that were cut between their bytes and their row: without any, no kill met one.
  expect(swept).toBeGreaterThan(0)
})
