import { defineConfig } from 'vitest/config'
import files from './.ci/mariadb-files.json'
import { settings as ofFirst } from './vitest.config.ts'

/** One at a time fewer: the database takes its share of the processor. */
const settings = { ...ofFirst, maxWorkers: ofFirst.maxWorkers - 1 }

/**
 * Once more what the database answers for, on MariaDB, and what several processes must count and lock together, where two
 * workers of the built binary answer. FILESTORE_TEST_DATABASE names the server.
 */
export default defineConfig({
  test: {
    ...settings,
    projects: [
      { test: { ...settings, name: 'mariadb', include: [...files.named, ...files.chosen] } },
      {
        test: {
          ...settings,
          name: 'workers',
          include: files.workers,
          env: { ...settings.env, FILESTORE_TEST_WORKERS: '2' },
        },
      },
    ],
  },
})
