import { defineConfig } from 'vitest/config'

/** What takes minutes: run by hand before a release. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    globalSetup: 'test/support/setup.ts',
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
    hookTimeout: 60_000,
  },
})
