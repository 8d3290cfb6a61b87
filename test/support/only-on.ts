/** Skips a test on the other database, with the reason in the report. */
import type { TestContext } from 'vitest'
import { skipBecause } from './skip.ts'

const reasons = { sqlite: 'SQLite only', mariadb: 'MariaDB only: set FILESTORE_TEST_DATABASE' }

const dialect = process.env.FILESTORE_TEST_DATABASE === undefined ? 'sqlite' : 'mariadb'

export function onlyOn(wanted: 'sqlite' | 'mariadb', context: TestContext): void {
  if (dialect !== wanted) skipBecause(reasons[wanted], context)
}
