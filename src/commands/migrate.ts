/** `filestore migrate up|down|status`. */
import type { Flags } from '../config.ts'
import { migrateUp } from '../db/migrate.ts'
import { type Downgrade, type MigrationStatus, migrateDown, migrationStatus, planDown } from '../db/run-migrations.ts'
import { withConfig, withDatabase } from './open.ts'

/** Runs what is still to be run; gives back their names. Throws as `withConfig`. */
export const runMigrateUp = (flags: Flags): Promise<string[]> =>
  withConfig(flags, ({ database }) => migrateUp(database))

/**
 * The names of the last `count` migrations that have run, the last first: what would be taken back. Throws as
 * `withDatabase`, and `in_use` while another process has the database open.
 */
export const planMigrateDown = (count: number, flags: Flags): Promise<string[]> =>
  withDatabase(flags, ({ database }) => planDown(database, count))

/** Takes migrations back, with their data. Throws as `planMigrateDown`. */
export const runMigrateDown = (count: number, flags: Flags): Promise<Downgrade> =>
  withDatabase(flags, ({ database }) => migrateDown(database, count))

/** Changes nothing, and makes no tables. Throws as `withDatabase`. */
export const runMigrateStatus = (flags: Flags): Promise<MigrationStatus[]> =>
  withDatabase(flags, ({ database }) => migrationStatus(database))
