/** The tables of a database that is about to be filled from a backup: made as they were then, finished as they are now. */
import { existsSync } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { QueryTypes, type Sequelize } from 'sequelize'
import { AppError, isLinkRefusal, systemCode } from '../base/errors.ts'
import type { DatabaseConfig } from '../config.ts'
import { refuseInUse } from './in-use.ts'
import { migrationsTable, unfinishedRestore } from './migrations-table.ts'
import { countOrphans, exclusively, type Runner, withRunner } from './run-migrations.ts'

const countTables: Record<DatabaseConfig['dialect'], string> = {
  sqlite: "SELECT COUNT(*) AS count FROM sqlite_master WHERE type = 'table'",
  // That of the migrations alone, empty, is what a restore leaves that was killed before its mark stood in it.
  mariadb: `SELECT COUNT(*) AS count FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name <> '${migrationsTable}'`,
}

async function countOf(sequelize: Sequelize, query: string): Promise<number> {
  const row = await sequelize.query<{ count: number }>(query, { type: QueryTypes.SELECT, plain: true })
  return Number(row?.count ?? 0)
}

/** True where an earlier restore was cut, false where the database has nothing yet. Throws `in_use` for all else. */
async function isUnfinished({ executed }: Runner, sequelize: Sequelize, dialect: DatabaseConfig['dialect']) {
  const names = await executed()
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
 * Whether an earlier restore into this database was cut. Throws `in_use` where it has anything else, or where another
 * process has it open.
 */
export async function findUnfinishedRestore(config: DatabaseConfig): Promise<boolean> {
  // To look into a file would make it.
  if (config.dialect === 'sqlite' && !existsSync(config.file)) return false
  return withRunner(config, async (runner, sequelize) => {
    await refuseInUse(sequelize, config.dialect)
    return isUnfinished(runner, sequelize, config.dialect)
  })
}

const draftOf = (file: string): string => `${file}.restoring`

/** Removes what a killed run has left, which may be the database's own file under its first name. */
async function removeDraft(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(draftOf(file) + suffix, { force: true })
}

/**
 * Makes the file of an SQLite database with the mark of a restore already in it: one that is killed before it has made
 * tables leaves no file that a server would take for new. Throws `in_use` where the file has come meanwhile.
 */
async function makeMarked(file: string): Promise<void> {
  const draft = draftOf(file)
  await withRunner({ dialect: 'sqlite', file: draft }, ({ storage }) =>
    storage.logMigration({ name: unfinishedRestore }),
  )
  try {
    // Unlike a rename this takes no file's place.
    await link(draft, file)
    await rm(draft)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new AppError('in_use', `${file} was made just now by another process`)
    if (!isLinkRefusal(error)) throw error
    await rename(draft, file)
  }
}

/** Makes the tables anew, empty, by these migrations and no others. Until `finishTables` nothing else opens them. */
export async function makeTables(config: DatabaseConfig, names: readonly string[]): Promise<void> {
  if (config.dialect === 'sqlite') {
    await removeDraft(config.file)
    if (!existsSync(config.file)) await makeMarked(config.file)
  }
  await withRunner(config, async (runner, sequelize) => {
    await refuseInUse(sequelize, config.dialect)
    await isUnfinished(runner, sequelize, config.dialect)
    if (config.dialect === 'mariadb') await sequelize.query('SET SESSION foreign_key_checks = 0')
    await exclusively(sequelize, config.dialect, async () => {
      if (!(await runner.executed()).includes(unfinishedRestore)) {
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

/** Has the next id of a table be above the last one ever given, whose row may be gone: events still tell of it. */
async function skipIds(sequelize: Sequelize, dialect: DatabaseConfig['dialect'], { table, id }: LastId): Promise<void> {
  if (dialect === 'mariadb') {
    await sequelize.query(`ALTER TABLE \`${table}\` AUTO_INCREMENT = ${id + 1}`)
    return
  }
  await sequelize.query('DELETE FROM sqlite_sequence WHERE name = $1', { bind: [table] })
  await sequelize.query('INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)', { bind: [table, id] })
}

/**
 * Ends what `makeTables` began, once all rows are there: runs the migrations that are younger than the backup, and opens
 * the database to all. Gives back their names.
 */
export const finishTables = (config: DatabaseConfig, lastIds: readonly LastId[]): Promise<string[]> =>
  withRunner(config, async (runner, sequelize) => {
    const finish = async () => {
      for (const lastId of lastIds) await skipIds(sequelize, config.dialect, lastId)
      const run = await runner.umzug.up()
      await runner.storage.unlogMigration({ name: unfinishedRestore })
      return run.map(({ name }) => name)
    }
    // Rows that were damaged when they were backed up, or what hung on them: `filestore fsck` mends those.
    const orphans = config.dialect === 'sqlite' ? await countOrphans(sequelize) : 0
    return exclusively(sequelize, config.dialect, finish, orphans)
  })
