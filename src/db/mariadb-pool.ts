/** MariaDB sessions and the pool that lends them. Loaded only if the database is a MariaDB. */
import { createConnection, type Connection as Session } from 'mysql2'
import { Pool } from 'sequelize-pool'
import { ConnectError } from './connections.ts'

/** For Sequelize, which looks for the driver among installed packages; here it is bundled. */
export * as driver from 'mysql2'

/**
 * Options of mysql2: an UPDATE counts every matched row, even if nothing changed; SUM and ids are returned as numbers;
 * a connection caches this many prepared statements, of which MariaDB allows 16,382 over all connections.
 */
const driverOptions = {
  flags: ['FOUND_ROWS'],
  decimalNumbers: true,
  supportBigNumbers: true,
  timezone: 'Z',
  charset: 'UTF8MB4_UNICODE_CI',
  maxPreparedStatements: 200,
}

interface SessionPool {
  /** Lends a live session to one user at a time. Throws ConnectError if none is free within half a minute. */
  take(): Promise<Session>
  giveBack(session: Session): void
  /** Ends all sessions, after those that are lent or waited for are returned. */
  close(): Promise<void>
}

function connect(url: string): Promise<Session> {
  return new Promise((resolve, reject) => {
    const session = createConnection({ uri: url, ...driverOptions })
    // Stays for good: a session that fails later reports it to the running statement, and by its state.
    session.on('error', reject)
    session.on('connect', () => resolve(session))
  })
}

/** `prepare` sets a session up before its first use. */
export function openPool(url: string, size: number, prepare: (session: Session) => Promise<void>): SessionPool {
  const pool = new Pool<Session>({
    max: size,
    min: 0,
    idleTimeoutMillis: 60_000,
    acquireTimeoutMillis: 30_000,
    create: async () => {
      const session = await connect(url)
      try {
        await prepare(session)
      } catch (error) {
        session.destroy()
        throw error
      }
      return session
    },
    validate: session => session.state === 'authenticated',
    // A dead session has nobody to report an error to, so the callback ignores it.
    destroy: session => new Promise(resolve => session.end(() => resolve())),
  })
  return {
    take: () =>
      pool.acquire().catch(error => {
        throw new ConnectError(error)
      }),
    giveBack: session => pool.release(session),
    close: async () => {
      await pool.drain()
      await pool.destroyAllNow()
    },
  }
}
