/** Fifty kills under load on the database of FILESTORE_TEST_DATABASE, otherwise on SQLite; prints what survived. */
import { expect, test } from 'vitest'
import { killAgainAndAgain, leastChanges } from '../kills/run.ts'

test('fifty kills during parallel uploads, moves, deletions and purges lose nothing', async () => {
  const { kills, changes, swept } = await killAgainAndAgain(50)
  expect(kills).toBe(50)
  expect(changes).toBeGreaterThanOrEqual(50 * leastChanges)
  // Contents of uploads that were cut off before their row. Without any, no kill met an upload.
  expect(swept).toBeGreaterThan(0)
})
