/** The table of executed migrations, and the checks that refuse a database by its content. */
import { migrations } from '../../migrations/index.ts'
import { differByOne } from '../base/differ-by-one.ts'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config-values.ts'
import { DamageError } from './connections.ts'
import { isDamage } from './failures.ts'

/** Umzug's own table: one row for each executed migration. */
export const migrationsTable = 'migrations'

/**
 * A table that is made when the names of others have been stored: where it is there and no name, damage has taken them.
 */
const laterTable = 'users'

/** Finds out whether a table exists. */
const tableQueries: Record<DatabaseConfig['dialect'], string> = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name = $1",
  mariadb:
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = $1',
}

/**
 * Marks the database, among the names of the migrations, while a restore fills it; so nothing else uses it half full.
 */
export const unfinishedRestore = 'unfinished-restore'

/**
 * The migrations that have run, in their order, and how the stored names differ: `missing` ones have lost their row or
 * their name, `unknown` ones are in the table and no migration has that name.
 */
export interface StoredNames {
  names: string[]
  missing: string[]
  unknown: string[]
  /**
   * Whether each unknown name is a missing one of which one character has changed, or all stand for the missing ones:
   * they are as many, and no names that a newer filestore gives.
   */
  areChanged: boolean
}

const numberOf = (name: string): string => name.slice(0, 4)

/** Whether a newer filestore may have a migration of this name. */
const isLater = (name: string): boolean =>
  /^\d{4}-[a-z\d-]+$/.test(name) && numberOf(name) > numberOf(migrations.at(-1)?.name ?? '')

/**
 * Completes the stored names. Migrations run in their order, so one that is missing before another one has run too. If
 * all rows are lost, every migration of this filestore is taken for executed.
 */
export function completeNames(executed: readonly string[]): StoredNames {
  const known = migrations.map(({ name }) => name)
  // Damage may have taken the text.
  const unknown = executed.map(String).filter(name => !known.includes(name))
  const originals = unknown.map(name => known.find(other => !executed.includes(other) && differByOne(name, other)))
  const areDestroyed = executed.length === known.length && unknown.length > 0 && !unknown.some(isLater)
  const last = known.findLastIndex(name => executed.includes(name) || originals.includes(name))
  const names = executed.length === 0 || areDestroyed ? known : known.slice(0, last + 1)
  const missing = names.filter(name => !executed.includes(name))
  return { names, missing, unknown, areChanged: areDestroyed || !originals.includes(undefined) }
}

const lastKnown = (): number => Number(numberOf(migrations.at(-1)?.name ?? '0'))

/** The number of the last of these migrations for which all servers stop; 0 if there is none. */
export function leastSchemaOf(executed: readonly string[]): number {
  const last = migrations.findLast(({ name, rolling }) => rolling !== true && executed.includes(name))
  return Number(numberOf(last?.name ?? '0'))
}

/** Whether a saved number is that of a migration: names have four digits, and damage may have left anything. */
const isNumber = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1e4

/** Returns the number that the last newer filestore has saved, or null. */
export async function readLeastSchema(select: Select): Promise<number | null> {
  const query = "SELECT value FROM server_state WHERE `key` = 'least_schema'"
  const rows = await select(query).catch(error => {
    // A database that is damaged, or older than the table, is judged by its names.
    if (isDamage(error)) return []
    throw error
  })
  const value = (rows as { value: unknown }[])[0]?.value
  return isNumber(value) ? value : null
}

/** Whether a program must know a migration, by the saved number, that this one does not. */
export const isTooOldFor = (leastSchema: number | null): boolean => leastSchema !== null && leastSchema > lastKnown()

interface Newer {
  /** The number that the last newer filestore has saved. */
  leastSchema: number | null
  /** Whether rolling migrations of a newer filestore may have run. */
  mayBeNewer: boolean
}

/** Refuses a database that a newer filestore has migrated, or has begun to, or that a restore left half full. */
export function refuseUnknown(executed: readonly string[], { leastSchema, mayBeNewer }: Newer): void {
  if (executed.includes(unfinishedRestore)) {
    throw new AppError(
      'unavailable',
      "A restore into this database did not come to its end: run 'filestore restore' again",
    )
  }
  const { unknown, areChanged } = completeNames(executed)
  const isBegun = isTooOldFor(leastSchema)
  if (!isBegun && (areChanged || (mayBeNewer && leastSchema !== null && unknown.every(isLater)))) return
  // The number is saved before the first name.
  const found = unknown.length > 0 ? unknown.join(', ') : `up to ${leastSchema}`
  throw new AppError('unavailable', `The database was migrated by a newer filestore (${found})`)
}

/** What is wrong with the names, as the end of a sentence about their table; undefined when they are intact. */
export function tellDamagedNames({ names, missing, unknown }: StoredNames): string | undefined {
  if (missing.length === 0) return undefined
  if (unknown.length === 0 && missing.length === names.length) return 'it is empty'
  const lost = `it lacks ${missing.join(', ')}`
  return unknown.length === 0 ? lost : `${lost}; no migration is called ${unknown.join(', ')}`
}

/** Refuses names of which damage has lost or changed some: their migrations would run again. */
export function refuseGap(executed: readonly string[]): void {
  const damage = tellDamagedNames(completeNames(executed))
  if (damage === undefined) return
  const advice = "'filestore fsck --repair' puts it right"
  throw new AppError('internal', `The database is damaged: ${advice} (table ${migrationsTable}: ${damage})`)
}

/** SQLite's integrity check of this table: damage may have lost or changed a name. */
const migrationsCheck = `PRAGMA integrity_check('${migrationsTable}')`
const knownTables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('users', 'files')"

/** Throws DamageError if damage may have lost the last names, so that nobody can tell which migrations have run. */
async function refuseDamagedNames(executed: readonly string[] | null, select: Select): Promise<void> {
  if (executed === null) {
    if ((await select(knownTables)).length === 0) return
    throw new DamageError(`it has tables of filestore, and not the table ${migrationsTable} that tells of which`)
  }
  const { names, areChanged } = completeNames(executed)
  if (areChanged && names.length === migrations.length) return
  const answers = (await select(migrationsCheck)).flatMap(row => Object.values(row)).filter(answer => answer !== 'ok')
  if (answers.length > 0) throw new DamageError(`table ${migrationsTable}: ${answers.join('; ')}`)
}

/** Runs a query of the database that is looked at. */
type Select = (sql: string, bind?: string[]) => Promise<object[]>

/**
 * Returns the stored names of the executed migrations, including those of a newer filestore; null if there are no tables
 * yet, or a first start made none. Throws DamageError if damage may have lost the last names of an SQLite database.
 */
export async function readNames(dialect: DatabaseConfig['dialect'], select: Select): Promise<string[] | null> {
  const hasTable = async (name: string) => (await select(tableQueries[dialect], [name])).length > 0
  // SQLite would read the index alone, and never see that the table differs.
  const table = dialect === 'sqlite' ? `${migrationsTable} NOT INDEXED` : migrationsTable
  const read = async () => (await select(`SELECT name FROM ${table} ORDER BY name`)) as { name: string }[]
  const executed = (await hasTable(migrationsTable)) ? (await read()).map(({ name }) => name) : null
  if (dialect === 'sqlite') await refuseDamagedNames(executed, select)
  return executed?.length === 0 && !(await hasTable(laterTable)) ? null : executed
}

/** Whether every migration of this filestore has run. */
export const areAll = (executed: readonly string[]): boolean => migrations.every(({ name }) => executed.includes(name))
