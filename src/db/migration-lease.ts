/**
 * Lets one process at a time migrate a MariaDB: a row of the leases, because a lock of the database server holds on that
 * one of a cluster alone.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { QueryTypes, type Sequelize } from 'sequelize'
import { migrations } from '../../migrations/index.ts'
import { second } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { sqlNow } from './database-time.ts'
import { connectMariadb } from './migration-connection.ts'

/** ms after which the lease of a process that was killed is free, and ms between two renewals. */
const leaseTime = 30 * second
const renewTime = 5 * second
/** ms to wait for another process that migrates, and between two looks. */
const patience = 600 * second
const pause = second / 4

const leasesTable = migrations.find(({ name }) => name === '0020-leases')?.up.mariadb ?? []
const now = sqlNow('mariadb')
const newEnd = `${now} + ${leaseTime}`
/** One that ends later was given by a wrong clock. */
const isFree = `(expires_at <= ${now} OR expires_at > ${now} + ${2 * leaseTime})`

const change = async (connection: Sequelize, sql: string, bind: string[]): Promise<number> =>
  (await connection.query(sql, { bind, type: QueryTypes.UPDATE }))[1]

/** Takes the lease if it is free. A deadlock with another process means that this one has it. */
async function take(connection: Sequelize, holder: string): Promise<boolean> {
  try {
    await connection.query("INSERT IGNORE INTO leases (name, holder, expires_at) VALUES ('migrate', '', 0)")
    const sql = `UPDATE leases SET holder = $1, expires_at = ${newEnd} WHERE name = 'migrate' AND ${isFree}`
    return (await change(connection, sql, [holder])) === 1
  } catch (error) {
    if (error instanceof Error && /deadlock/i.test(error.message)) return false
    throw error
  }
}

/** Runs `job` while no other process migrates the database. Throws `unavailable` if another one does for ten minutes. */
export async function withMigrationLease<T>(url: string, job: () => Promise<T>): Promise<T> {
  // The migration keeps its own connection busy.
  const connection = await connectMariadb(url)
  const holder = randomUUID()
  try {
    // The first migrations come before this table. Made here, it is found there already.
    for (const statement of leasesTable) await connection.query(statement)
    const late = performance.now() + patience
    while (!(await take(connection, holder))) {
      if (performance.now() > late) {
        throw new AppError('unavailable', 'Another process is migrating the database, try again later')
      }
      await setTimeout(pause)
    }
    const own = "WHERE name = 'migrate' AND holder = $1"
    // A migration down may drop the table.
    const keep = (sql: string) => change(connection, sql, [holder]).catch(() => 0)
    const timer = setInterval(() => void keep(`UPDATE leases SET expires_at = ${newEnd} ${own}`), renewTime)
    try {
      return await job()
    } finally {
      clearInterval(timer)
      await keep(`DELETE FROM leases ${own}`)
    }
  } finally {
    await connection.close()
  }
}
