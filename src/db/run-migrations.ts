/** Brings a database's tables up or down, by Umzug over migrations/index.ts, on a connection of its own. */
import { existsSync } from 'node:fs'
import { unescape as decode } from 'node:querystring'
import type { Connection as Session } from 'mysql2'
import { QueryTypes, Sequelize } from 'sequelize'
import { SequelizeStorage, Umzug } from 'umzug'
import { migrations } from '../../migrations/index.ts'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config.ts'
import { refuseInUse } from './in-use.ts'
import { strictMode } from './mariadb.ts'
import { copyBeforeDown, copyBeforeUp, findUnfinished, removeUnfinished } from './migration-copy.ts'
import { migrationsTable, refuseDamagedNames, refuseUnknown, tableQueries } from './migrations-table.ts'
import { withServerLock } from './server-lock.ts'
import { createPrivateFile, pragmas } from './sqlite.ts'

export interface MigrationStatus {
  name: string
  /** False: still to be run. */
  done: boolean
}

export interface Runner {
  umzug: Umzug<Sequelize>
  storage: SequelizeStorage
  /** The names that the database remembers, those of a newer filestore among them. */
  executed(): Promise<string[]>
}

/** The URL goes to the driver as it is, as mariadb-pool.ts has it, and what Sequelize would say instead does not. */
async function connectMariadb(url: string): Promise<Sequelize> {
  const { driver } = await import('./mariadb-pool.ts')
  const sequelize = new Sequelize({
    dialect: 'mysql',
    dialectModule: driver,
    dialectOptions: { uri: url, host: undefined, port: undefined },
    database: decode(new URL(url).pathname.slice(1)),
    logging: false,
    pool: { max: 1 },
  })
  // A trigger keeps the mode of the session that made it.
  sequelize.addHook('afterConnect', connection => setStrict(connection as Session))
  return sequelize
}

const setStrict = (session: Session): Promise<void> =>
  new Promise((resolve, reject) => {
    session.query(`SET SESSION sql_mode = '${strictMode}'`, error => (error ? reject(error) : resolve()))
  })

async function openConnection(config: DatabaseConfig): Promise<Sequelize> {
  if (config.dialect === 'mariadb') return connectMariadb(config.url)
  createPrivateFile(config.file)
  return new Sequelize({ dialect: 'sqlite', storage: config.file, logging: false })
}

function openRunner(sequelize: Sequelize, dialect: DatabaseConfig['dialect']): Runner {
  const storage = new SequelizeStorage({ sequelize, tableName: migrationsTable })
  const umzug = new Umzug({
    context: sequelize,
    logger: undefined,
    storage,
    migrations: migrations.map(({ name, up, down }) => ({
      name,
      up: async () => runAll(sequelize, up[dialect]),
      down: async () => runAll(sequelize, down[dialect]),
    })),
  })
  const executed = async () => {
    const names = (await hasMigrations(sequelize, dialect)) ? await storage.executed() : null
    if (dialect === 'sqlite') {
      await refuseDamagedNames(names, sql => sequelize.query<object>(sql, { type: QueryTypes.SELECT }))
    }
    return names ?? []
  }
  return { umzug, storage, executed }
}

/** Umzug would make its table to look into it. */
async function hasMigrations(sequelize: Sequelize, dialect: DatabaseConfig['dialect']): Promise<boolean> {
  const found = await sequelize.query(tableQueries[dialect], { bind: [migrationsTable], type: QueryTypes.SELECT })
  return found.length > 0
}

async function runAll(sequelize: Sequelize, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sequelize.query(statement)
}

async function refuseNewer(runner: Runner): Promise<string[]> {
  const executed = await runner.executed()
  refuseUnknown(executed)
  return executed
}

/** Locks are the server's, so the database's name is part of it; 64 characters is all that a lock's name may have. */
const lockName = "LEFT(CONCAT('filestore ', DATABASE()), 64)"
/** Seconds to wait for another process that migrates. */
const lockTimeout = 600

async function underLock<T>(sequelize: Sequelize, job: () => Promise<T>): Promise<T> {
  const select = { type: QueryTypes.SELECT, plain: true } as const
  const answer = await sequelize.query<{ held: number | null }>(
    `SELECT GET_LOCK(${lockName}, ${lockTimeout}) AS held`,
    select,
  )
  if (answer?.held !== 1)
    throw new AppError('unavailable', 'Another process is migrating the database, try again later')
  try {
    return await job()
  } finally {
    await sequelize.query(`SELECT RELEASE_LOCK(${lockName})`)
  }
}

/** How many rows of an SQLite database name others that are not there. */
export const countOrphans = async (sequelize: Sequelize): Promise<number> =>
  (await sequelize.query('PRAGMA foreign_key_check', { type: QueryTypes.SELECT })).length

/**
 * One process at a time. SQLite: everything in one transaction, foreign keys off so that a table can be rebuilt, and
 * checked before the commit: there may be no more orphans than the given ones. MariaDB commits at each DDL; a named lock
 * keeps others out.
 */
export async function exclusively<T>(
  sequelize: Sequelize,
  dialect: DatabaseConfig['dialect'],
  job: () => Promise<T>,
  orphansBefore = 0,
) {
  if (dialect === 'mariadb') return underLock(sequelize, job)
  await sequelize.query('BEGIN IMMEDIATE')
  try {
    const result = await job()
    const orphans = (await countOrphans(sequelize)) - orphansBefore
    if (orphans > 0) throw new Error(`a migration left ${orphans} rows without their parents`)
    await sequelize.query('COMMIT')
    return result
  } catch (error) {
    await sequelize.query('ROLLBACK')
    throw error
  }
}

export async function withRunner<T>(config: DatabaseConfig, job: (runner: Runner, sequelize: Sequelize) => Promise<T>) {
  const sequelize = await openConnection(config)
  try {
    if (config.dialect === 'sqlite') {
      for (const pragma of pragmas.trim().split('\n')) await sequelize.query(pragma)
      await sequelize.query('PRAGMA foreign_keys = OFF')
    }
    return await job(openRunner(sequelize, config.dialect), sequelize)
  } finally {
    await sequelize.close()
  }
}

/** Removes what copies that were broken off have left, once nobody is at one. */
async function dropUnfinished(sequelize: Sequelize, file: string): Promise<void> {
  if ((await findUnfinished(file)).length === 0) return
  await sequelize.query('BEGIN IMMEDIATE')
  try {
    await removeUnfinished(file)
  } finally {
    await sequelize.query('ROLLBACK')
  }
}

/**
 * Runs every migration that is still to be run; gives back their names. An SQLite database that is not new is copied
 * before, and what is left of copies that were broken off goes, whether there is anything to run or not. Safe to call
 * from several processes. Throws `storage_full` where the copy has no room, and `in_use` where there is a migration to be
 * run while a server works on the SQLite database.
 */
export async function runPending(config: DatabaseConfig): Promise<string[]> {
  const old = config.dialect === 'sqlite' && existsSync(config.file) ? config.file : null
  return withRunner(config, async (runner, sequelize) => {
    await refuseNewer(runner)
    if (old !== null) await dropUnfinished(sequelize, old)
    const isDone = async () => (await runner.umzug.pending()).length === 0
    if (await isDone()) return []
    const run = async () => {
      // Somebody else may have run them meanwhile; then the copy that counts is theirs.
      if (await isDone()) return []
      if (old !== null) await copyBeforeUp(old)
      return (await runner.umzug.up()).map(({ name }) => name)
    }
    return withServerLock(config, () => exclusively(sequelize, config.dialect, run))
  })
}

/** The last `steps` migrations that have run, the last first. */
async function findLast(runner: Runner, steps: number): Promise<string[]> {
  const executed = await refuseNewer(runner)
  const known = migrations.map(({ name }) => name).filter(name => executed.includes(name))
  return known.slice(-steps).reverse()
}

/** What `migrateDown` would take back. Throws `in_use` while another process has the database open. */
export const planDown = (config: DatabaseConfig, steps: number): Promise<string[]> =>
  withRunner(config, async (runner, sequelize) => {
    await refuseInUse(sequelize, config.dialect)
    return findLast(runner, steps)
  })

/** What was taken back. */
export interface Downgrade {
  names: string[]
  /** Where a copy of the SQLite database lies as it was; nobody but a person removes it. */
  copy: string | null
}

/**
 * Takes back the last `steps` migrations, data included; an SQLite database is copied before. Throws `in_use` while
 * another process has it open.
 */
export const migrateDown = (config: DatabaseConfig, steps: number): Promise<Downgrade> =>
  withRunner(config, async (runner, sequelize) => {
    await refuseInUse(sequelize, config.dialect)
    if ((await findLast(runner, steps)).length === 0) return { names: [], copy: null }
    const down = async () => {
      const copy = config.dialect === 'sqlite' ? await copyBeforeDown(config.file) : null
      const names: string[] = []
      for (let step = 0; step < steps; step++) names.push(...(await runner.umzug.down()).map(({ name }) => name))
      return { names, copy }
    }
    return withServerLock(config, () => exclusively(sequelize, config.dialect, down))
  })

/** Every migration this filestore knows, in order, with whether it has run. Makes no tables. */
export async function migrationStatus(config: DatabaseConfig): Promise<MigrationStatus[]> {
  return withRunner(config, async runner => {
    const executed = await refuseNewer(runner)
    return migrations.map(({ name }) => ({ name, done: executed.includes(name) }))
  })
}
