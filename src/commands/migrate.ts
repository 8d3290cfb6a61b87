/** `filestore migrate up|down|status`. */
import { type Flags, readConfig } from '../config.ts'
import { migrateDown, migrateUp, migrationStatus } from '../db/migrate.ts'

/** Runs what is still to be run; gives back a line for each. */
export async function runMigrateUp(flags: Flags): Promise<string[]> {
  const names = await migrateUp(readConfig(flags).database)
  return names.length === 0 ? ['Nothing to migrate'] : names.map(name => `up    ${name}`)
}

/** Takes the last migration back, with its data. */
export async function runMigrateDown(flags: Flags): Promise<string[]> {
  const names = await migrateDown(readConfig(flags).database)
  return names.length === 0 ? ['Nothing to take back'] : names.map(name => `down  ${name}`)
}

export async function runMigrateStatus(flags: Flags): Promise<string[]> {
  const list = await migrationStatus(readConfig(flags).database)
  return list.map(({ name, done }) => `${done ? 'done   ' : 'pending'}  ${name}`)
}
