/**
 * Random sequences of sharing, revoking, moving, copying, uploading, trashing and purging, by several people and keys
 * for one folder: what each may do, and after each step what each reads, is what a simple model says.
 * `FILESTORE_TEST_SEED` tries other sequences; a failure prints the shortest one that fails.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMiscounts } from '../support/counters.ts'
import { rounds, seed } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { acts, run } from './shared-acts.ts'
import { expectReads } from './shared-reads.ts'
import { buildSharedWorld, type SharedWorld } from './shared-world.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const anyIndex = fc.nat(1000)
const steps = fc.record({
  act: fc.constantFrom(...acts),
  who: anyIndex,
  item: anyIndex,
  into: anyIndex,
  to: anyIndex,
  level: fc.constantFrom('view', 'upload', 'edit'),
})

/** The live items below a trashed one. */
const findStranded = ({ model: { tree } }: SharedWorld): number[] =>
  [...tree.values()]
    .filter(({ trashRoot, parentId }) => trashRoot === null && (tree.get(parentId ?? 0)?.trashRoot ?? null) !== null)
    .map(({ id }) => id)

test('each of several people and keys does and reads what a model of the shares says, whatever they all do', {
  timeout: 1_800_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 8, maxLength: 16 }), async sequence => {
      const world = await buildSharedWorld(server)
      for (const [index, step] of sequence.entries()) {
        await run(world, step)
        expect(findStranded(world)).toEqual([])
        await expectReads(world, index === sequence.length - 1)
      }
      expect(await findMiscounts(server.deps.db)).toEqual([])
    }),
    { seed, numRuns: rounds(6, 40) },
  )
})
