/** Where a measured server keeps its data, and how to put rows there that would take hours over HTTP. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import { type Config, readConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { systemActor } from '../../src/db/write.ts'
import type { Measuring } from './options.ts'

export interface Place {
  config: Config
  /** What the product's `--database` must say; undefined for the SQLite file in the data folder. */
  databaseFlag: string | undefined
  /** What Node itself is told where the server runs. */
  nodeFlags: readonly string[]
  remove(): Promise<void>
}

/** A temporary folder and, where MariaDB is measured, a new database there. */
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

/** The one account that a new server has. */
export interface Owner {
  userId: number
  spaceId: number
}

/** Reads or changes the rows of a place in one transaction; the server learns nothing of it, so stop it for changes. */
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

/** Lets the one account store so many bytes. */
export const setQuota = (place: Place, bytes: number): Promise<unknown> =>
  changeRows(place, db => db.change('UPDATE spaces SET storage_quota = $1', [bytes]))
