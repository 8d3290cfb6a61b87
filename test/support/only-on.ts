/** Skips a test on the other database or store, with the reason in the report. */
import type { TestContext } from 'vitest'
import { s3Service } from './s3-service.ts'
import { skipBecause } from './skip.ts'

const reasons = { sqlite: 'SQLite only', mariadb: 'MariaDB only: set FILESTORE_TEST_DATABASE' }

const dialect = process.env.FILESTORE_TEST_DATABASE === undefined ? 'sqlite' : 'mariadb'

export function onlyOn(wanted: 'sqlite' | 'mariadb', context: TestContext): void {
  if (dialect !== wanted) skipBecause(reasons[wanted], context)
}

/** Skips a test that looks into the folder of bytes, or damages it, where they are in an object store. */
export function onlyInFolder(context: TestContext): void {
  if (s3Service !== undefined) skipBecause('bytes in a folder only', context)
}

/** Whether several servers answer, behind a balancer. */
export const areSeveral = process.env.FILESTORE_TEST_NODES !== undefined

const ofOneServer = {
  process: 'looks into the process of the server',
  clock: 'turns the clock of the server',
  counts: 'tries what each server counts or keeps by itself',
  several: 'starts another server beside it',
  proxy: 'speaks to the server with no proxy between',
}

/** Skips a test that several servers cannot pass together, where `FILESTORE_TEST_NODES` answer. */
export function onlyOneServer(why: keyof typeof ofOneServer, context: TestContext): void {
  if (areSeveral) skipBecause(`one server only: ${ofOneServer[why]}`, context)
}
