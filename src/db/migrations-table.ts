/** The table in which a database remembers its migrations, and what is refused by what stands there. */
import { migrations } from '../../migrations/index.ts'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config.ts'
import { DamageError } from './connections.ts'

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

/** Whether every migration of this filestore has run. */
export const areAll = (executed: readonly string[]): boolean => migrations.every(({ name }) => executed.includes(name))
