/** `filestore migrate up|down|status`. */
import type { Flags } from '../config-options.ts'
import { migrateUp } from '../db/migrate.ts'
import { type Downgrade, type MigrationStatus, migrateDown, migrationStatus, planDown } from '../db/run-migrations.ts'
import { withConfig, withDatabase } from './open.ts'

/** Runs all pending migrations. Returns their names. Throws like `withConfig`. */
export const runMigrateUp = (flags: Flags): Promise<string[]> =>
  withConfig(flags, ({ database }) => migrateUp(database))

/**
 * Returns the names of the last `count` migrations that have run, the last first: those that `runMigrateDown` would
 * take back. Throws like `withDatabase`, and `in_use` while another process has the database open.
 */
export const planMigrateDown = (count: number, flags: Flags): Promise<string[]> =>
  withDatabase(flags, ({ database }) => planDown(database, count))

/** Takes the last `count` migrations back, with their data. Throws like `planMigrateDown`. */
export const runMigrateDown = (count: number, flags: Flags): Promise<Downgrade> =>
  withDatabase(flags, ({ database }) => migrateDown(database, count))

/** Returns the state of all migrations. Changes nothing and makes no tables. Throws like `withDatabase`. */
export const runMigrateStatus = (flags: Flags): Promise<MigrationStatus[]> =>
  withDatabase(flags, ({ database }) => migrationStatus(database))
