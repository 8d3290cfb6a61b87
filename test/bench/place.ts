/** The data of a measured server, and a way to plant rows that would take hours over HTTP. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { type Config, readConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import type { Measuring } from './options.ts'

export interface Place {
  config: Config
  /** The product's `--database` option; undefined for the SQLite file in the data folder. */
  databaseFlag: string | undefined
  /** Options for Node itself in the server's process. */
  nodeFlags: readonly string[]
  remove(): Promise<void>
}

/** Makes a temporary folder and, for MariaDB, a new database. */
export async function createPlace({ mariadbUrl, profiles }: Measuring): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'filestore-bench-'))
  const name = `filestore_bench_${randomBytes(6).toString('hex')}`
  const run = async (sql: string) => {
    if (mariadbUrl === undefined) return
    const connection = await mysql.createConnection(mariadbUrl)
    await connection.query(sql)
    await connection.end()
  }
  await run(`CREATE DATABASE ${name}`)
  const databaseFlag = mariadbUrl === undefined ? undefined : `${mariadbUrl.replace(/\/$/, '')}/${name}`
  return {
    config: readConfig({ dataDir, database: databaseFlag }, {}),
    databaseFlag,
    nodeFlags: profiles === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profiles],
    remove: async () => {
      await run(`DROP DATABASE ${name}`)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The only account of a new server. */
export interface Owner {
  userId: number
  spaceId: number
}

/** Reads or changes rows in one transaction. Stop the server before changes, because it does not notice them. */
export async function changeRows<T>({ config }: Place, change: (db: Database, owner: Owner) => Promise<T>): Promise<T> {
  const db = await openDatabase(config.database)
  try {
    return await db.write(systemActor, async record => {
      record.nothing()
      const owner = await db.row<Owner>('SELECT owner_id AS userId, id AS spaceId FROM spaces')
      if (owner === undefined) throw new Error('the server has made no account yet')
      return change(db, owner)
    })
  } finally {
    await db.close()
  }
}

/** Sets the quota of the only account in bytes. */
export const setQuota = (place: Place, bytes: number): Promise<unknown> =>
  changeRows(place, db => db.change('UPDATE spaces SET storage_quota = $1', [bytes]))
