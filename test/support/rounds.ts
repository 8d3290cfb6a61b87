/**
 * How much of a test of chance, of many rounds or of many like cases is run. `npm test` runs a part, with the same
 * chances each time; `.ci/nightly` sets FILESTORE_TEST_ROUNDS=all for all of it, and a FILESTORE_TEST_SEED that is
 * another each night.
 */
import type { TestContext } from 'vitest'
import { skipBecause } from './skip.ts'

const hasAll = process.env.FILESTORE_TEST_ROUNDS === 'all'

/** `few` in `npm test`, `all` in `.ci/nightly`. */
export const rounds = <Value>(few: Value, all: Value): Value => (hasAll ? all : few)

/** Where chance begins; a run that failed is had again by its seed. */
export const seed = Number(process.env.FILESTORE_TEST_SEED ?? 1)

/** Skips a test that only `.ci/nightly` has the time for, with that reason in the report. */
export function onlyNightly(context: TestContext): void {
  if (!hasAll) skipBecause('runs in .ci/nightly', context)
}
