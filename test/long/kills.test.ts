/** Fifty kills under load on the database of FILESTORE_TEST_DATABASE, SQLite without it; prints what survived. */
import { expect, test } from 'vitest'
import { killAgainAndAgain } from '../kills/run.ts'

test('fifty kills under eight uploads, moves, deletions and purges lose nothing', async () => {
  const { kills } = await killAgainAndAgain(50)
  expect(kills).toBe(50)
})
