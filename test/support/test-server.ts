/** The parts that every test server has, however it was started: a database and a data folder. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { type Config, readConfig } from '../../src/config.ts'
import type { Flags } from '../../src/config-options.ts'
import type { Deps } from '../../src/deps.ts'
import { closeDeps } from '../../src/server/open-deps.ts'
import { emptyS3Place, environmentFor, newStorageFlag, storageFlagOf } from './s3-service.ts'

/** `mysql://user@host:port` of a MariaDB where tests may create databases; without it, tests use SQLite. */
const mariadbUrl = process.env.FILESTORE_TEST_DATABASE

export const adminPassword = 'correct horse battery'

export interface TestServer {
  url: string
  deps: Deps
  /** The folder with all data of this server, except a MariaDB database. */
  dataDir: string
  adminName: string
  adminPassword: string
  /** The value of `--database` with which another process uses the same database. */
  databaseFlag: string | undefined
  /** The value of `--storage`, where the bytes are neither in the data folder nor in a place that the test has chosen. */
  storageFlag: string | undefined
  close(): Promise<void>
}

export interface TestDatabase {
  flag: string | undefined
  drop(): Promise<void>
}

/** An empty database for one test: a new one on MariaDB, and nothing but the data folder for SQLite. */
export async function createDatabase(): Promise<TestDatabase> {
  if (mariadbUrl === undefined) return { flag: undefined, drop: async () => undefined }
  const name = `filestore_test_${randomBytes(8).toString('hex')}`
  const run = async (sql: string) => {
    const connection = await mysql.createConnection(mariadbUrl)
    await connection.query(sql)
    await connection.end()
  }
  await run(`CREATE DATABASE ${name}`)
  return { flag: `${mariadbUrl.replace(/\/$/, '')}/${name}`, drop: () => run(`DROP DATABASE ${name}`) }
}

/** A configuration for a test: silent, on any free port, in a temporary folder. */
export async function createConfig(flags: Flags = {}): Promise<{ config: Config; database: TestDatabase }> {
  const dataDir = flags.dataDir ?? (await mkdtemp(join(tmpdir(), 'filestore-test-')))
  const database =
    flags.database === undefined ? await createDatabase() : { flag: flags.database, drop: async () => {} }
  const storage = flags.storage ?? newStorageFlag()
  const config = readConfig(
    {
      dataDir,
      port: '0',
      logLevel: 'silent',
      minFreeSpace: '0',
      cacheSize: '0',
      database: database.flag,
      ...flags,
      storage,
    },
    { FILESTORE_ADMIN_PASSWORD: adminPassword, ...environmentFor(storage) },
  )
  return { config, database }
}

interface Parts {
  url: string
  config: Config
  database: TestDatabase
  deps: Deps
  /** Stops the server that answers at `url`. */
  stop(): Promise<unknown>
}

export const testServerOf = ({ url, config, database, deps, stop }: Parts): TestServer => ({
  url,
  deps,
  dataDir: config.dataDir,
  adminName: 'admin',
  adminPassword,
  databaseFlag: database.flag,
  storageFlag: storageFlagOf(config),
  close: async () => {
    await stop()
    await closeDeps(deps)
    if (config.storage.kind === 's3' && storageFlagOf(config) !== undefined) await emptyS3Place(config.storage)
    await database.drop()
    await rm(config.dataDir, { recursive: true, force: true })
  },
})
