/** Prepares a database for a restore: makes the tables as they were at the backup, and later migrates them. */
import { existsSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { QueryTypes, type Sequelize } from 'sequelize'
import { AppError, isLinkRefusal, systemCode } from '../base/errors.ts'
import type { DatabaseConfig } from '../config-values.ts'
import { refuseInUse } from './in-use.ts'
import { migrationsTable, unfinishedRestore } from './migrations-table.ts'
import { countOrphans, exclusively, type Runner, runUp, withRunner } from './run-migrations.ts'

const countTables: Record<DatabaseConfig['dialect'], string> = {
  sqlite: "SELECT COUNT(*) AS count FROM sqlite_master WHERE type = 'table'",
  // A restore that is killed before it sets its mark leaves only these tables, without rows; they do not count.
  mariadb: `SELECT COUNT(*) AS count FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name NOT IN ('${migrationsTable}', 'leases')`,
}

async function countOf(sequelize: Sequelize, query: string): Promise<number> {
  const row = await sequelize.query<{ count: number }>(query, { type: QueryTypes.SELECT, plain: true })
  return Number(row?.count ?? 0)
}

/** Returns true if an earlier restore was interrupted, false if the database is empty. Throws `in_use` otherwise. */
async function isUnfinished({ executed }: Runner, sequelize: Sequelize, dialect: DatabaseConfig['dialect']) {
  const names = (await executed()) ?? []
  if (names.includes(unfinishedRestore)) return true
  const isForeign = names.length === 0 && (await countOf(sequelize, countTables[dialect])) > 0
  const hasUsers = names.includes('0004-users') && (await countOf(sequelize, 'SELECT COUNT(*) AS count FROM users')) > 0
  if (isForeign || hasUsers) {
    const found = isForeign ? 'tables of something else' : 'users'
    throw new AppError('in_use', `The database has ${found} already: a backup is restored into an empty one`)
  }
  return false
}

/**
 * Whether an earlier restore into this database was interrupted. Throws `in_use` if it holds anything else, or if
 * another process has it open.
 */
export async function findUnfinishedRestore(config: DatabaseConfig): Promise<boolean> {
  // Opening a missing file would create it.
  if (config.dialect === 'sqlite' && !existsSync(config.file)) return false
  return withRunner(config, async (runner, sequelize) => {
    await refuseInUse(sequelize, config.dialect)
    return isUnfinished(runner, sequelize, config.dialect)
  })
}

const draftOf = (file: string): string => `${file}.restoring`

/** Removes the draft of a killed run. It may be a hard link to the database file itself. */
async function removeDraft(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(draftOf(file) + suffix, { force: true })
}

/**
 * Creates the file of an SQLite database with the restore's mark already in it, so that a restore killed before it has
 * made tables leaves no file that a server takes for new. Throws `in_use` if the file was created meanwhile.
 */
async function makeMarked(file: string): Promise<void> {
  const draft = draftOf(file)
  await withRunner({ dialect: 'sqlite', file: draft }, ({ storage }) =>
    storage.logMigration({ name: unfinishedRestore }),
  )
  try {
    // Unlike rename, link never replaces an existing file.
    await link(draft, file)
    await rm(draft)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new AppError('in_use', `${file} was made just now by another process`)
    if (!isLinkRefusal(error)) throw error
    await rename(draft, file)
  }
}

/** Makes empty tables, by exactly these migrations. No other command opens the database until `finishTables`. */
export async function makeTables(config: DatabaseConfig, names: readonly string[]): Promise<void> {
  if (config.dialect === 'sqlite') {
    await removeDraft(config.file)
    if (!existsSync(config.file)) await makeMarked(config.file)
  }
  await withRunner(config, async (runner, sequelize) => {
    await refuseInUse(sequelize, config.dialect)
    await isUnfinished(runner, sequelize, config.dialect)
    await exclusively(sequelize, config, async () => {
      // Not before: a session that waits for the lease of a killed run is closed as idle, and opened anew.
      if (config.dialect === 'mariadb') await sequelize.query('SET SESSION foreign_key_checks = 0')
      if (!(await runner.executed())?.includes(unfinishedRestore)) {
        await runner.storage.logMigration({ name: unfinishedRestore })
      }
      await runner.umzug.down({ to: 0 })
      await runner.umzug.up({ migrations: [...names] })
    })
  })
}

interface LastId {
  table: string
  id: number
}

/** Sets a table's next id above the highest ever given, because events may refer to rows that are deleted. */
async function skipIds(sequelize: Sequelize, dialect: DatabaseConfig['dialect'], { table, id }: LastId): Promise<void> {
  if (dialect === 'mariadb') {
    await sequelize.query(`ALTER TABLE \`${table}\` AUTO_INCREMENT = ${id + 1}`)
    return
  }
  await sequelize.query('DELETE FROM sqlite_sequence WHERE name = $1', { bind: [table] })
  await sequelize.query('INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)', { bind: [table, id] })
}

/**
 * Completes `makeTables` after all rows are loaded: runs the migrations newer than the backup, and clears the mark so
 * that others may open the database. Returns the names of those migrations.
 */
export const finishTables = (config: DatabaseConfig, lastIds: readonly LastId[]): Promise<string[]> =>
  withRunner(config, async (runner, sequelize) => {
    const finish = async () => {
      for (const lastId of lastIds) await skipIds(sequelize, config.dialect, lastId)
      const run = await runUp(runner, sequelize, config.dialect)
      await runner.storage.unlogMigration({ name: unfinishedRestore })
      return run
    }
    // The backup may contain rows that were damaged already, or that referred to such rows; `filestore fsck` repairs
    // them.
    const orphans = config.dialect === 'sqlite' ? await countOrphans(sequelize) : 0
    return exclusively(sequelize, config, finish, orphans)
  })
