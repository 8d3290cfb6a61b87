/** A MariaDB's sessions, and the pool that lends them. Loaded by who has a MariaDB alone. */
import { createConnection, type Connection as Session } from 'mysql2'
import { Pool } from 'sequelize-pool'
import { ConnectError } from './connections.ts'

/** For Sequelize, which looks for it among installed packages, and it is bundled. */
export * as driver from 'mysql2'

/**
 * mysql2: an UPDATE that meets a row counts it although nothing changed; SUM is a number, and so is an id; and a connection
 * keeps so many prepared statements, of which MariaDB allows 16,382 to all connections together.
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
  /** Lends a session that is alive, to one at a time. Throws ConnectError where there is none within half a minute. */
  take(): Promise<Session>
  giveBack(session: Session): void
  /** Ends all sessions, behind whoever holds or waits for one. */
  close(): Promise<void>
}

function connect(url: string): Promise<Session> {
  return new Promise((resolve, reject) => {
    const session = createConnection({ uri: url, ...driverOptions })
    // Listened to for good: what ends a session later is told to whoever runs a statement on it, and by its state.
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
    // One that has died has nobody to say so to.
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
