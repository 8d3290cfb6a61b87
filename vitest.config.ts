import { defineConfig } from 'vitest/config'

/** `.ci/run` names a file for the counts; a person reads the terminal. */
const report = process.env.VITEST_JSON

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**'],
    globalSetup: 'test/support/setup.ts',
    pool: 'forks',
    // No test changes a module, and loading the server's anew for each file took a quarter of the processor's time.
    isolate: false,
    // One more than the cores of a small machine: each waits now and then for a disk, a page or a process.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A page takes its time on a busy machine; a second, the default, is no time.
    expect: { poll: { timeout: 10_000 } },
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
})
