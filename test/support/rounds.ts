/**
 * How much of a random or repeated test runs. `npm test` runs a part, with the same seed each time; `.ci/nightly` sets
 * FILESTORE_TEST_ROUNDS=all to run all of it, with another FILESTORE_TEST_SEED each night.
 */
import type { TestContext } from 'vitest'
import { skipBecause } from './skip.ts'

const hasAll = process.env.FILESTORE_TEST_ROUNDS === 'all'

/** `few` in `npm test`, `all` in `.ci/nightly`. */
export const rounds = <Value>(few: Value, all: Value): Value => (hasAll ? all : few)

/** The seed of random tests; a failed run can be repeated with its seed. */
export const seed = Number(process.env.FILESTORE_TEST_SEED ?? 1)

/** Skips a test that takes too long for `npm test`, with that reason in the report; `.ci/nightly` runs it. */
export function onlyNightly(context: TestContext): void {
  if (!hasAll) skipBecause('runs in .ci/nightly', context)
}
