/** Skips a test that is about the other database, with its reason in the report. */
import type { TestContext } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Printed beside the test by `.ci/count.mjs`. */
    skipReason?: string
  }
}

const reasons = { sqlite: 'SQLite only', mariadb: 'MariaDB only: set FILESTORE_TEST_DATABASE' }

const dialect = process.env.FILESTORE_TEST_DATABASE === undefined ? 'sqlite' : 'mariadb'

export function onlyOn(wanted: 'sqlite' | 'mariadb', { task, skip }: TestContext): void {
  if (dialect === wanted) return
  task.meta.skipReason = reasons[wanted]
  skip(reasons[wanted])
}
