import { defineConfig, type TestUserConfig } from 'vitest/config'

/** `.ci/run` names a file for the counts; a person reads the terminal. */
const report = process.env.VITEST_JSON
/** `.ci/run` has the SQL statements noted that each test file runs: .ci/log-statements.cjs. */
const isNoted = process.env.FILESTORE_TEST_STATEMENTS !== undefined

/** `.ci/nightly` runs all; what it alone has the time for has `.nightly` in its name. */
const hasNightly = process.env.FILESTORE_TEST_ROUNDS === 'all'

export const settings = {
  globalSetup: 'test/support/setup.ts',
  setupFiles: ['test/support/equal-bytes.ts', ...(isNoted ? ['test/support/name-file.ts'] : [])],
  pool: 'forks',
  // Times are printed in the zone of the process, which is the tests' own where they run a command themselves.
  env: { TZ: 'UTC' },
  // No test changes a module, and loading the server's anew for each file took a quarter of the processor's time.
  isolate: false,
  // Twice the cores of a small machine: each waits now and then for a disk, a page or a process.
  maxWorkers: 4,
  // Only what hangs waits so long: on a machine with much other work a test of two seconds takes half a minute. By night
  // some take minutes on a quiet one.
  testTimeout: hasNightly ? 600_000 : 90_000,
  hookTimeout: hasNightly ? 600_000 : 120_000,
  // A page takes its time on a busy machine; a second, the default, is no time.
  expect: { poll: { timeout: 30_000 } },
  reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
} satisfies TestUserConfig

export default defineConfig({
  test: {
    ...settings,
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', ...(hasNightly ? [] : ['test/**/*.nightly.test.ts'])],
  },
})
