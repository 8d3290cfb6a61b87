/** A server that is killed in the middle of everything: what it acknowledged is there, and it starts without a hand. */
import { expect, test } from 'vitest'
import { killAgainAndAgain, leastChanges } from '../kills/run.ts'

test('two kills under eight uploads, moves, deletions and purges lose nothing', { timeout: 180_000 }, async () => {
  const { changes, files } = await killAgainAndAgain(2)
  expect(changes).toBeGreaterThanOrEqual(2 * leastChanges)
  expect(files).toBeGreaterThan(0)
})
