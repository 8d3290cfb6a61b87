/** The table of executed migrations, and the checks that refuse a database by its content. */
import { migrations } from '../../migrations/index.ts'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config-values.ts'
import { DamageError } from './connections.ts'

/** Umzug's own table: one row for each executed migration. */
export const migrationsTable = 'migrations'

/** Finds out whether a table exists. */
export const tableQueries: Record<DatabaseConfig['dialect'], string> = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = $1",
  mariadb:
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = $1',
}

/**
 * Marks the database, among the names of the migrations, while a restore fills it; so nothing else uses it half full.
 */
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

/** SQLite's integrity check of this table: damage may have lost or changed a name. */
const migrationsCheck = `PRAGMA integrity_check('${migrationsTable}')`
const knownTables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('users', 'files')"

/**
 * Throws DamageError if the names may be damaged; otherwise executed migrations might run again, or the database might
 * be taken for a newer filestore's. `select` queries SQLite; `executed` is null if the table does not exist.
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

/**
 * The migrations up to the last executed one, and those of them that are missing from the table. They run in their
 * order, so a missing one has run too, and only its row is lost. If all rows are lost, every migration of this filestore
 * is taken for executed.
 */
export function completeNames(executed: readonly string[]): { names: string[]; missing: string[] } {
  const last =
    executed.length === 0
      ? migrations.length - 1
      : migrations.reduce((found, { name }, at) => (executed.includes(name) ? at : found), -1)
  const names = migrations.slice(0, last + 1).map(({ name }) => name)
  return { names, missing: names.filter(name => !executed.includes(name)) }
}

/** Whether every migration of this filestore has run. */
export const areAll = (executed: readonly string[]): boolean => migrations.every(({ name }) => executed.includes(name))
