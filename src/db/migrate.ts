/** Finds out which migrations a database has had, and starts those that are missing. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config-values.ts'
import { type Database, openDatabase } from './database.ts'
import { copyOf, findUnfinished } from './migration-copy.ts'
import { areAll, completeNames, readLeastSchema, readNames, refuseGap, refuseUnknown } from './migrations-table.ts'

/** Removes the copy that the last migration left, after the server has started on the migrated database. */
export async function dropMigrationCopy(config: DatabaseConfig): Promise<void> {
  if (config.dialect === 'sqlite') await rm(copyOf(config.file), { force: true })
}

/**
 * Returns the stored names of the executed migrations, of this filestore or an older one; null as `readNames`. With
 * `mayBeNewer`, rolling ones of a newer filestore may have run, too.
 */
async function findExecuted(db: Database, { mayBeNewer }: { mayBeNewer: boolean }): Promise<string[] | null> {
  const select = (sql: string, bind?: string[]) => db.rows<object>(sql, bind)
  const executed = await readNames(db.dialect, select)
  if (executed !== null) refuseUnknown(executed, { leastSchema: await readLeastSchema(select), mayBeNewer })
  return executed
}

/** Whether there is no migration to run and no unfinished copy to remove. */
async function isCurrent(config: DatabaseConfig): Promise<boolean> {
  if (config.dialect === 'sqlite') {
    // Opening a missing file would create it.
    if (!existsSync(config.file) || (await findUnfinished(config.file)).length > 0) return false
  }
  const db = await openDatabase(config)
  try {
    const executed = await findExecuted(db, { mayBeNewer: true })
    if (executed === null) return false
    refuseGap(executed)
    return areAll(executed)
  } finally {
    await db.close()
  }
}

/**
 * Runs every pending migration and returns their names. An existing SQLite database is copied first. Unfinished copies
 * are removed even if there is nothing to run. Several processes may call it at once. Throws `storage_full` if there is
 * no room for the copy, and `in_use` if a migration is pending while a server uses the SQLite database, or one that is not
 * rolling while a server uses the MariaDB.
 */
export async function migrateUp(config: DatabaseConfig): Promise<string[]> {
  if (await isCurrent(config)) return []
  // Loaded only here: it takes as long as the rest of a start, and nearly every start has nothing to run.
  const { runPending } = await import('./run-migrations.ts')
  return runPending(config)
}

/**
 * Returns the stored names of the executed migrations, of which damage may have lost or changed some (`completeNames`).
 * Creates no tables. Throws `invalid_input` if there are none, `unavailable` if a newer filestore has migrated the
 * database.
 */
export const findMigrations = (db: Database): Promise<string[]> => requireTables(db, { mayBeNewer: false })

async function requireTables(db: Database, options: { mayBeNewer: boolean }): Promise<string[]> {
  const executed = await findExecuted(db, options)
  if (executed !== null) return executed
  throw new AppError('invalid_input', "The database has no tables yet: 'filestore migrate up' makes them")
}

function refusePending(executed: readonly string[]): void {
  if (areAll(completeNames(executed).names)) return
  throw new AppError('unavailable', "The database is of an older filestore: run 'filestore migrate up' first")
}

/** Refuses a database of an older filestore, but not one with damaged names. Throws like `findMigrations`. */
export const refuseOlder = async (db: Database): Promise<void> => refusePending(await findMigrations(db))

/**
 * Refuses a database on which this filestore cannot work. Throws like `findMigrations`, but not for rolling migrations of a
 * newer filestore, and `internal` for damaged names.
 */
export async function refuseUnmigrated(db: Database): Promise<void> {
  const executed = await requireTables(db, { mayBeNewer: true })
  refuseGap(executed)
  refusePending(executed)
}
