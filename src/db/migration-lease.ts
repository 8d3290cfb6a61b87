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
import { driverError } from './connections.ts'
import { sqlNow } from './database-time.ts'
import { connectMariadb } from './migration-connection.ts'

/** ms after which the lease of a process that was killed is free, and ms between two renewals. */
const leaseTime = 30 * second
const renewTime = 5 * second
/** ms after which a lease that could not be renewed counts as lost, so before another process may take it. */
const patienceWithRenewals = 20 * second
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

/** Takes the lease if it is free. A deadlock means that another process has it. */
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

interface HeldLease {
  /** Throws `unavailable` once it is lost, or may be. */
  check(): void
  /** Gives it back. */
  end(): Promise<void>
}

/** Renews a lease that was taken at `takenAt`. */
function hold(connection: Sequelize, holder: string, takenAt: number): HeldLease {
  const own = "WHERE name = 'migrate' AND holder = $1"
  let [heldAt, isLost] = [takenAt, false]
  const isSure = () => performance.now() - heldAt < patienceWithRenewals
  const extend = () => change(connection, `UPDATE leases SET expires_at = ${newEnd} ${own}`, [holder])
  // A restore over the remains of another makes the table anew, without the row.
  const insert = () =>
    change(connection, `INSERT IGNORE INTO leases (name, holder, expires_at) VALUES ('migrate', $1, ${newEnd})`, [
      holder,
    ])
  async function renew(): Promise<void> {
    const began = performance.now()
    try {
      if ((await extend()) === 1 || (isSure() && (await insert()) === 1)) heldAt = began
      else isLost = true
    } catch (error) {
      // A migration down may have dropped the table. Any other error counts by the time.
      if (driverError(error).code === 'ER_NO_SUCH_TABLE') heldAt = began
    }
  }
  const timer = setInterval(() => void renew(), renewTime)
  return {
    check: () => {
      if (!isLost && isSure()) return
      throw new AppError('unavailable', 'Another process may be migrating the database by now: start this one again')
    },
    end: async () => {
      clearInterval(timer)
      await change(connection, `DELETE FROM leases ${own}`, [holder]).catch(() => 0)
    },
  }
}

/**
 * Runs `job` while no other process migrates the database that `migrating` is connected to. Throws `unavailable` if another
 * one does for ten minutes, and where the lease is lost: then `migrating` runs no further statement.
 */
export async function withMigrationLease<T>(url: string, migrating: Sequelize, job: () => Promise<T>): Promise<T> {
  // The migration keeps its own connection busy.
  const connection = await connectMariadb(url)
  const holder = randomUUID()
  try {
    // The first migrations come before this table. Made here, it is found there already.
    for (const statement of leasesTable) await connection.query(statement)
    const late = performance.now() + patience
    let began = performance.now()
    while (!(await take(connection, holder))) {
      if (performance.now() > late) {
        throw new AppError('unavailable', 'Another process is migrating the database, try again later')
      }
      await setTimeout(pause)
      began = performance.now()
    }
    const lease = hold(connection, holder, began)
    const hook = 'lease'
    migrating.addHook('beforeQuery', hook, lease.check)
    try {
      return await job()
    } catch (error) {
      // Umzug puts its own error around the one of the check.
      lease.check()
      throw error
    } finally {
      migrating.removeHook('beforeQuery', hook)
      await lease.end()
    }
  } finally {
    await connection.close()
  }
}
