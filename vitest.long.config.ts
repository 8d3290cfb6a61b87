import { defineConfig } from 'vitest/config'
import { settings } from './vitest.config.ts'

/** What takes minutes: run by `.ci/nightly`, and by hand before a release. */
export default defineConfig({
  test: {
    ...settings,
    include: ['test/long/**/*.test.ts'],
    isolate: true,
    maxWorkers: 1,
    testTimeout: 30 * 60_000,
  },
})
