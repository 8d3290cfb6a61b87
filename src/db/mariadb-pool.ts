/** MariaDB sessions and the pool that lends them. Loaded only if the database is a MariaDB. */
import { createConnection, type Connection as Session } from 'mysql2'
import { Pool } from 'sequelize-pool'
import { ConnectError } from './connections.ts'
import { openFirst, takesChanges, urlsOf } from './mariadb-hosts.ts'

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

/** ms to wait for one host where there are others. */
const hostTimeout = 3_000
/** ms after which the hosts are looked at again while sessions are lent. */
const lookEvery = 5_000

function connect(url: string, connectTimeout?: number): Promise<Session> {
  return new Promise((resolve, reject) => {
    const session = createConnection({ uri: url, ...driverOptions, ...(connectTimeout && { connectTimeout }) })
    // Stays for good: a session that fails later reports it to the running statement, and by its state.
    session.on('error', reject)
    session.on('connect', () => resolve(session))
  })
}

const show = (session: Session, sql: string): Promise<Record<string, unknown>[]> =>
  new Promise((resolve, reject) => {
    session.query(sql, (error, rows) => (error ? reject(error) : resolve(rows as Record<string, unknown>[])))
  })

/** Closes a session and throws unless its host takes changes. */
async function refuseHost(session: Session): Promise<void> {
  const isReady = await takesChanges({ show: sql => show(session, sql) }).catch(() => false)
  if (isReady) return
  session.destroy()
  throw new Error('this host of the database takes no changes')
}

const connectFirst = (urls: readonly string[]) => openFirst(urls, url => connect(url, hostTimeout), refuseHost)

/** Returns the address of the first host that takes changes; that of a single one without asking it. */
export async function findHost(url: string): Promise<string> {
  const urls = urlsOf(url)
  if (urls.length === 1) return url
  const found = await connectFirst(urls)
  found.session.destroy()
  return found.url
}

/**
 * Connects to the first host that takes changes, and from time to time looks which one it is; sessions at another one are
 * stale then.
 */
function openHosts(url: string) {
  const urls = urlsOf(url)
  const hosts = new WeakMap<Session, string>()
  let current: string | undefined
  let lookedAt = performance.now()

  async function open(): Promise<Session> {
    const found = await connectFirst(urls)
    hosts.set(found.session, found.url)
    current = found.url
    lookedAt = performance.now()
    return found.session
  }
  async function look(): Promise<void> {
    const session = await open()
    session.destroy()
  }
  return {
    connect: () => (urls.length === 1 ? connect(url) : open()),
    isStale: (session: Session) => urls.length > 1 && hosts.get(session) !== current,
    /** Begins a look in the background if the last one was some time ago. */
    follow: () => {
      if (urls.length === 1 || performance.now() - lookedAt < lookEvery) return
      lookedAt = performance.now()
      // Where no host answers, the sessions find out by themselves.
      void look().catch(() => undefined)
    },
  }
}

/** `prepare` sets a session up before its first use. */
export function openPool(url: string, size: number, prepare: (session: Session) => Promise<void>): SessionPool {
  const hosts = openHosts(url)
  const pool = new Pool<Session>({
    max: size,
    min: 0,
    idleTimeoutMillis: 60_000,
    acquireTimeoutMillis: 30_000,
    create: async () => {
      const session = await hosts.connect()
      try {
        await prepare(session)
      } catch (error) {
        session.destroy()
        throw error
      }
      return session
    },
    validate: session => session.state === 'authenticated' && !hosts.isStale(session),
    // A dead session has nobody to report an error to, so the callback ignores it.
    destroy: session => new Promise(resolve => session.end(() => resolve())),
  })
  return {
    take: () => {
      hosts.follow()
      return pool.acquire().catch(error => {
        throw new ConnectError(error)
      })
    },
    giveBack: session => pool.release(session),
    close: async () => {
      await pool.drain()
      await pool.destroyAllNow()
    },
  }
}
