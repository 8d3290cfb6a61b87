/** `filestore migrate up|down|status`. */
import { type Flags, readConfig } from '../config.ts'
import { migrateDown, migrateUp, migrationStatus } from '../db/migrate.ts'
import { AppError } from '../errors.ts'

/** Runs what is still to be run; gives back a line for each. */
export async function runMigrateUp(flags: Flags): Promise<string[]> {
  const names = await migrateUp(readConfig(flags).database)
  return names.length === 0 ? ['Nothing to migrate'] : names.map(name => `up    ${name}`)
}

/** Takes the last migrations back, with their data. Throws `invalid_input` where `count` is no whole number. */
export async function runMigrateDown(count: string, flags: Flags): Promise<string[]> {
  if (!/^[1-9]\d*$/.test(count)) throw new AppError('invalid_input', `'${count}' is not a whole number from 1 on`)
  const names = await migrateDown(readConfig(flags).database, Number(count))
  return names.length === 0 ? ['Nothing to take back'] : names.map(name => `down  ${name}`)
}

export async function runMigrateStatus(flags: Flags): Promise<string[]> {
  const list = await migrationStatus(readConfig(flags).database)
  return list.map(({ name, done }) => `${done ? 'done   ' : 'pending'}  ${name}`)
}
