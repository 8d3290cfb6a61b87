/** Which migrations a database has had, and the way to have it run the others. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { migrations } from '../../migrations/index.ts'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config.ts'
import { DamageError } from './connections.ts'
import { type Database, openDatabase } from './database.ts'
import { copyOf, findUnfinished } from './migration-copy.ts'

/** Umzug's own: a row for each that has run. */
export const migrationsTable = 'migrations'

/** Whether there is a table. */
export const tableQueries: Record<DatabaseConfig['dialect'], string> = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = $1",
  mariadb:
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = $1',
}

/** Stands among the names of the migrations while a restore fills the database, so that nothing else takes it for whole. */
export const unfinishedRestore = 'unfinished-restore'

/** Refuses a database that a newer filestore has migrated, or that a restore left half full. */
export function refuseUnknown(executed: readonly string[]): void {
  if (executed.includes(unfinishedRestore)) {
    throw new AppError(
      'unavailable',
      "A restore into this database did not come to its end: run 'filestore restore' again",
    )
  }
  const unknown = executed.filter(name => !migrations.some(migration => migration.name === name))
  if (unknown.length > 0) {
    throw new AppError('unavailable', `The database was migrated by a newer filestore (${unknown.join(', ')})`)
  }
}

/** What SQLite says of the table in which it is damaged, so that a name may be lost or another in it. */
const migrationsCheck = `PRAGMA integrity_check('${migrationsTable}')`
const knownTables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('users', 'files')"

/**
 * Throws DamageError where not all names are as they were written: migrations that have run would be run once more, or a
 * database be taken for a newer filestore's. `select` asks SQLite; null are the names of a table that is not there.
 */
export async function refuseDamagedNames(
  executed: readonly string[] | null,
  select: (sql: string) => Promise<object[]>,
): Promise<void> {
  if (executed === null) {
    if ((await select(knownTables)).length === 0) return
    throw new DamageError(`it has tables of filestore, and not the table ${migrationsTable} that tells of which`)
  }
  if (executed.length === migrations.length && areAll(executed)) return
  const answers = (await select(migrationsCheck)).flatMap(row => Object.values(row)).filter(answer => answer !== 'ok')
  if (answers.length > 0) throw new DamageError(`table ${migrationsTable}: ${answers.join('; ')}`)
}

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

const areAll = (executed: readonly string[]): boolean => migrations.every(({ name }) => executed.includes(name))

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
