/** Which migrations a database has had, and the way to have it run the others. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { migrations } from '../../migrations/index.ts'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config.ts'
import { type Database, openDatabase } from './database.ts'
import { copyOf, findUnfinished } from './migration-copy.ts'
import { areAll, migrationsTable, refuseDamagedNames, refuseUnknown, tableQueries } from './migrations-table.ts'

/** Whether SQLite's table of migrations, read without its index, names none that there is not. */
export async function hasKnownMigrations(db: Database): Promise<boolean> {
  const rows = await db.rows<{ name: string }>(`SELECT name FROM ${migrationsTable} NOT INDEXED`)
  return rows.every(row => migrations.some(({ name }) => name === row.name))
}

/** Removes the copy that the last migration left, once the product has started again on what it made. */
export async function dropMigrationCopy(config: DatabaseConfig): Promise<void> {
  if (config.dialect === 'sqlite') await rm(copyOf(config.file), { force: true })
}

/** The migrations that a database remembers, all of which this filestore knows; null where it has no tables yet. */
async function findExecuted(db: Database): Promise<string[] | null> {
  const isThere = (await db.row(tableQueries[db.dialect], [migrationsTable])) !== undefined
  const query = `SELECT name FROM ${migrationsTable} ORDER BY name`
  const executed = isThere ? (await db.rows<{ name: string }>(query)).map(({ name }) => name) : null
  if (db.dialect === 'sqlite') await refuseDamagedNames(executed, sql => db.rows(sql))
  if (executed !== null) refuseUnknown(executed)
  return executed
}

/** Whether there is nothing to be run, nor anything left of a copy that was broken off. */
async function isCurrent(config: DatabaseConfig): Promise<boolean> {
  if (config.dialect === 'sqlite') {
    // To look into a file would make it.
    if (!existsSync(config.file) || (await findUnfinished(config.file)).length > 0) return false
  }
  const db = await openDatabase(config)
  try {
    return areAll((await findExecuted(db)) ?? [])
  } finally {
    await db.close()
  }
}

/**
 * Runs every migration that is still to be run; gives back their names. An SQLite database that is not new is copied
 * before, and what is left of copies that were broken off goes, whether there is anything to run or not. Safe to call
 * from several processes. Throws `storage_full` where the copy has no room, and `in_use` where there is a migration to be
 * run while a server works on the SQLite database.
 */
export async function migrateUp(config: DatabaseConfig): Promise<string[]> {
  if (await isCurrent(config)) return []
  // Loaded here, for it takes as long as all else that a start takes, and nearly every start has nothing to run.
  const { runPending } = await import('./run-migrations.ts')
  return runPending(config)
}

/**
 * The migrations that a database remembers, all of which this filestore knows. Makes no tables. Throws `invalid_input`
 * where there are none, `unavailable` where a newer filestore has migrated it.
 */
export async function findMigrations(db: Database): Promise<string[]> {
  const executed = await findExecuted(db)
  if (executed !== null) return executed
  throw new AppError('invalid_input', "The database has no tables yet: 'filestore migrate up' makes them")
}

/** Refuses a database whose tables are not those of this filestore. Throws as `findMigrations`. */
export async function refuseUnmigrated(db: Database): Promise<void> {
  const executed = await findMigrations(db)
  if (areAll(executed)) return
  throw new AppError('unavailable', "The database is of an older filestore: run 'filestore migrate up' first")
}
