/** `filestore migrate up|down|status`. */
import { type Flags, readConfig } from '../config.ts'
import { type MigrationStatus, migrateDown, migrateUp, migrationStatus } from '../db/migrate.ts'
import { AppError } from '../errors.ts'

/** Runs what is still to be run; gives back their names. */
export const runMigrateUp = async (flags: Flags): Promise<string[]> => migrateUp(readConfig(flags).database)

/**
 * Takes the last migrations back, with their data; gives back their names. Throws `invalid_input` where `count` is no
 * whole number.
 */
export async function runMigrateDown(count: string, flags: Flags): Promise<string[]> {
  if (!/^[1-9]\d*$/.test(count)) throw new AppError('invalid_input', `'${count}' is not a whole number from 1 on`)
  return migrateDown(readConfig(flags).database, Number(count))
}

export const runMigrateStatus = async (flags: Flags): Promise<MigrationStatus[]> =>
  migrationStatus(readConfig(flags).database)
