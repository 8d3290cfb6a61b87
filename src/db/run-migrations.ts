/** Migrates a database's tables up or down, with Umzug over migrations/index.ts, on a connection of its own. */
import { existsSync } from 'node:fs'
import { QueryTypes, type Sequelize } from 'sequelize'
import { SequelizeStorage, Umzug } from 'umzug'
import { migrations } from '../../migrations/index.ts'
import type { DatabaseConfig } from '../config-values.ts'
import { refuseInUse, refuseNodes } from './in-use.ts'
import { openConnection } from './migration-connection.ts'
import { copyBeforeDown, copyBeforeUp, findUnfinished, removeUnfinished } from './migration-copy.ts'
import { withMigrationLease } from './migration-lease.ts'
import {
  leastSchemaOf,
  migrationsTable,
  readLeastSchema,
  readNames,
  refuseGap,
  refuseUnknown,
} from './migrations-table.ts'
import { withServerLock } from './server-lock.ts'
import { pragmas } from './sqlite.ts'

export interface MigrationStatus {
  name: string
  /** False: not run yet. */
  done: boolean
}

export interface Runner {
  umzug: Umzug<Sequelize>
  storage: SequelizeStorage
  /** The stored names as `readNames` returns them; Umzug itself would make its table in order to read it. */
  executed(): Promise<string[] | null>
  /** The number that the last newer filestore has saved (migrations-table.ts). */
  leastSchema(): Promise<number | null>
}

/** Makes sure of its table once; Umzug's own does so before each name, which takes longer than most migrations. */
class NamesStorage extends SequelizeStorage {
  private made: Promise<void> | undefined

  override syncModel(): Promise<void> {
    this.made ??= super.syncModel()
    return this.made
  }
}

function openRunner(sequelize: Sequelize, dialect: DatabaseConfig['dialect']): Runner {
  const storage = new NamesStorage({ sequelize, tableName: migrationsTable })
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
  const select = (sql: string, bind: string[] = []) => sequelize.query<object>(sql, { bind, type: QueryTypes.SELECT })
  return {
    umzug,
    storage,
    executed: () => readNames(dialect, select),
    leastSchema: () => readLeastSchema(select),
  }
}

async function runAll(sequelize: Sequelize, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sequelize.query(statement)
}

async function findIntact(runner: Runner, { mayBeNewer }: { mayBeNewer: boolean }): Promise<string[]> {
  const executed = await runner.executed()
  if (executed === null) return []
  refuseUnknown(executed, { leastSchema: await runner.leastSchema(), mayBeNewer })
  refuseGap(executed)
  return executed
}

/** The number of rows of an SQLite database that refer to missing rows. */
export const countOrphans = async (sequelize: Sequelize): Promise<number> =>
  (await sequelize.query('PRAGMA foreign_key_check', { type: QueryTypes.SELECT })).length

/**
 * Runs `job` in one process at a time. SQLite: all in one transaction, with foreign keys off so that tables can be
 * rebuilt, and checked before the commit: more orphans than `orphansBefore` fail it. MariaDB commits at each DDL; a
 * lease keeps other processes out.
 */
export async function exclusively<T>(
  sequelize: Sequelize,
  config: DatabaseConfig,
  job: () => Promise<T>,
  orphansBefore = 0,
) {
  if (config.dialect === 'mariadb') return withMigrationLease(config.url, sequelize, job)
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

/** Removes unfinished copies, under the write lock, so that no process is writing them. */
async function dropUnfinished(sequelize: Sequelize, file: string): Promise<void> {
  if ((await findUnfinished(file)).length === 0) return
  await sequelize.query('BEGIN IMMEDIATE')
  try {
    await removeUnfinished(file)
  } finally {
    await sequelize.query('ROLLBACK')
  }
}

/** The migration that makes the table of the numbers that servers remember. */
const stateTable = '0021-server-state'

async function writeLeastSchema(sequelize: Sequelize, value: number | null): Promise<void> {
  await sequelize.query("DELETE FROM server_state WHERE `key` = 'least_schema'")
  if (value === null) return
  await sequelize.query("INSERT INTO server_state (`key`, value) VALUES ('least_schema', $1)", { bind: [value] })
}

/** Saves from which migration on a program must know all, which older ones read at their start and while they run. */
async function saveLeastSchema(sequelize: Sequelize, executed: readonly string[]): Promise<void> {
  if (executed.includes(stateTable)) await writeLeastSchema(sequelize, leastSchemaOf(executed))
}

/**
 * Runs every pending migration, inside `exclusively`, and returns their names. Throws `in_use` if one is not rolling while
 * a server uses the MariaDB.
 */
export async function runUp({ umzug, leastSchema }: Runner, sequelize: Sequelize, dialect: DatabaseConfig['dialect']) {
  const pending = (await umzug.pending()).map(({ name }) => name)
  const before = (await umzug.executed()).map(({ name }) => name)
  const all = [...before, ...pending]
  const stopsServers = dialect === 'mariadb' && leastSchemaOf(all) > leastSchemaOf(before)
  // Looks before the number is saved: servers that read it end.
  if (stopsServers) await refuseNodes(sequelize)
  const saved = await leastSchema()
  // Older servers must not start from the first statement on.
  if (before.includes(stateTable)) await saveLeastSchema(sequelize, all)
  try {
    // One that read the old number when it started has given its first sign of life since, or reads the new one then.
    if (stopsServers) await refuseNodes(sequelize)
  } catch (error) {
    if (before.includes(stateTable)) await writeLeastSchema(sequelize, saved)
    throw error
  }
  await umzug.up()
  await saveLeastSchema(sequelize, all)
  return pending
}

/**
 * Runs every pending migration and returns their names. An existing SQLite database is copied first. Unfinished copies
 * are removed even if there is nothing to run. Several processes may call it at once. Throws `storage_full` if there is
 * no room for the copy, and `in_use` if a migration is pending while a server uses the SQLite database, or as `runUp`.
 */
export async function runPending(config: DatabaseConfig): Promise<string[]> {
  const old = config.dialect === 'sqlite' && existsSync(config.file) ? config.file : null
  return withRunner(config, async (runner, sequelize) => {
    await findIntact(runner, { mayBeNewer: true })
    if (old !== null) await dropUnfinished(sequelize, old)
    const isDone = async () => (await runner.umzug.pending()).length === 0
    if (await isDone()) return []
    const run = async () => {
      // Another process may have run them meanwhile; then its copy is the one to keep.
      if (await isDone()) return []
      if (old !== null) await copyBeforeUp(old)
      return runUp(runner, sequelize, config.dialect)
    }
    return withServerLock(config, () => exclusively(sequelize, config, run))
  })
}

/** Returns the last `steps` executed migrations, the latest first. */
async function findLast(runner: Runner, steps: number): Promise<string[]> {
  const executed = await findIntact(runner, { mayBeNewer: false })
  const known = migrations.map(({ name }) => name).filter(name => executed.includes(name))
  return known.slice(-steps).reverse()
}

/**
 * Returns the migrations that `migrateDown` would undo. Throws `in_use` while another process has the database open.
 */
export const planDown = (config: DatabaseConfig, steps: number): Promise<string[]> =>
  withRunner(config, async (runner, sequelize) => {
    await refuseInUse(sequelize, config.dialect)
    return findLast(runner, steps)
  })

/** The migrations that were undone. */
export interface Downgrade {
  names: string[]
  /** The path of a copy of the SQLite database from before; only a person removes it. */
  copy: string | null
}

/**
 * Undoes the last `steps` migrations, including their data; an SQLite database is copied first. Throws `in_use` while
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
      await saveLeastSchema(
        sequelize,
        (await runner.umzug.executed()).map(({ name }) => name),
      )
      return { names, copy }
    }
    return withServerLock(config, () => exclusively(sequelize, config, down))
  })

/** Returns every migration of this filestore, in order, with whether it has run. Creates no tables. */
export async function migrationStatus(config: DatabaseConfig): Promise<MigrationStatus[]> {
  return withRunner(config, async runner => {
    const executed = await findIntact(runner, { mayBeNewer: false })
    return migrations.map(({ name }) => ({ name, done: executed.includes(name) }))
  })
}
