/** MariaDB sessions and the pool that lends them. Loaded only if the database is a MariaDB. */
import { createConnection, type Connection as Session } from 'mysql2'
import { Pool } from 'sequelize-pool'
import { second } from '../base/clock.ts'
import { ConnectError } from './connections.ts'
import { type Driver, openHosts, urlsOf } from './mariadb-hosts.ts'

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
  /**
   * Lends no session again that is as old as this one, whose host takes no changes any more; new ones find another. Does
   * nothing within a second of the last time.
   */
  leaveHost(session: Session): void
  /** Ends all sessions, after those that are lent or waited for are returned. */
  close(): Promise<void>
}

/** ms to wait for one host where there are others, and for its answer. */
const hostTimeout = 3_000
/** ms after which the host is checked again while sessions are lent. */
const lookEvery = 5_000
/** ms between two times that a host is left. While none takes changes, reads would else open a session each. */
const leaveEvery = second

function connect(url: string, connectTimeout?: number): Promise<Session> {
  return new Promise((resolve, reject) => {
    const session = createConnection({ uri: url, ...driverOptions, ...(connectTimeout && { connectTimeout }) })
    // Stays for good: a session that fails later reports it to the running statement, and by its state.
    session.on('error', reject)
    session.on('connect', () => resolve(session))
  })
}

const hostDriver: Driver<Session> = {
  open: url => connect(url, hostTimeout),
  show: (session, sql) =>
    new Promise((resolve, reject) => {
      session.query({ sql, timeout: hostTimeout }, (error, rows) =>
        error ? reject(error) : resolve(rows as Record<string, unknown>[]),
      )
    }),
  destroy: session => session.destroy(),
}

const asConnectError = (error: unknown): Error => (error instanceof ConnectError ? error : new ConnectError(error))

/** Returns the address of the host that a new process uses; that of a single one without asking it. */
export async function findHost(url: string): Promise<string> {
  const urls = urlsOf(url)
  if (urls.length === 1) return url
  const found = await openHosts(urls, hostDriver)
    .open()
    .catch(error => {
      throw asConnectError(error)
    })
  found.session.destroy()
  return found.url
}

/**
 * Connects to the current host, and checks it from time to time. Sessions at another one are stale, and those from before
 * the last time that a host was left.
 */
function followHosts(url: string) {
  const urls = urlsOf(url)
  const { open, current } = openHosts(urls, hostDriver)
  const opened = new WeakMap<Session, { url: string; times: number }>()
  let timesLeft = 0
  let leftAt = Number.NEGATIVE_INFINITY
  let lookedAt = performance.now()

  async function connectCurrent(): Promise<Session> {
    const times = timesLeft
    const found = urls.length === 1 ? { url: current(), session: await connect(url) } : await open()
    opened.set(found.session, { url: found.url, times })
    lookedAt = performance.now()
    return found.session
  }
  return {
    connect: connectCurrent,
    isStale: (session: Session) => {
      const found = opened.get(session)
      return found?.url !== current() || found.times !== timesLeft
    },
    leave: (session: Session) => {
      if (opened.get(session)?.times !== timesLeft || performance.now() - leftAt < leaveEvery) return
      leftAt = performance.now()
      timesLeft++
    },
    /** Begins a check in the background if the last one was some time ago. */
    follow: () => {
      if (urls.length === 1 || performance.now() - lookedAt < lookEvery) return
      lookedAt = performance.now()
      // Where no host answers, the sessions find out by themselves.
      void connectCurrent().then(hostDriver.destroy, () => undefined)
    },
  }
}

/** `prepare` sets a session up before its first use. */
export function openPool(url: string, size: number, prepare: (session: Session) => Promise<void>): SessionPool {
  const hosts = followHosts(url)
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
        throw asConnectError(error)
      })
    },
    giveBack: session => pool.release(session),
    leaveHost: hosts.leave,
    close: async () => {
      await pool.drain()
      await pool.destroyAllNow()
    },
  }
}
