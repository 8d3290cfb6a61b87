/** Checks whether another process has a database open that is about to lose tables. */
import { setTimeout } from 'node:timers/promises'
import { QueryTypes, type Sequelize } from 'sequelize'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config-values.ts'
import { driverError } from './connections.ts'

/**
 * Number of looks at MariaDB's sessions, and ms between two. A session stays listed for a moment after it is closed.
 */
const looks = 20
const pause = 100

/** A connection can leave WAL mode only if it is the only one, so SQLite itself detects any other process. */
async function isSqliteShared(sequelize: Sequelize): Promise<boolean> {
  await sequelize.query('PRAGMA busy_timeout = 0')
  try {
    await sequelize.query('PRAGMA journal_mode = DELETE')
    return false
  } catch (error) {
    if (['SQLITE_BUSY', 'SQLITE_LOCKED'].includes(driverError(error).code ?? '')) return true
    throw error
  } finally {
    await sequelize.query('PRAGMA busy_timeout = 10000')
    await sequelize.query('PRAGMA journal_mode = WAL')
  }
}

/**
 * A running server always has a session: it queries the database each minute, and an idle session stays open as long.
 */
async function isMariadbShared(sequelize: Sequelize): Promise<boolean> {
  const query = 'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() LIMIT 1'
  for (let look = 0; look < looks; look++) {
    if ((await sequelize.query(query, { type: QueryTypes.SELECT })).length === 0) return false
    await setTimeout(pause)
  }
  return true
}

/** Throws `in_use` while another process has the database open. */
export async function refuseInUse(sequelize: Sequelize, dialect: DatabaseConfig['dialect']): Promise<void> {
  const isShared = await (dialect === 'sqlite' ? isSqliteShared(sequelize) : isMariadbShared(sequelize))
  if (isShared) throw new AppError('in_use', 'A server, or another command, has the database open: stop it first')
}
