/** Kills of a server under load: acknowledged changes survive, and the server starts again without repair. */
import { expect, test } from 'vitest'
import { killAgainAndAgain, leastChanges } from '../kills/run.ts'

test('two kills during parallel uploads, moves, deletions and purges lose nothing', { timeout: 180_000 }, async () => {
  const { changes, files } = await killAgainAndAgain(2)
  expect(changes).toBeGreaterThanOrEqual(2 * leastChanges)
  expect(files).toBeGreaterThan(0)
})
