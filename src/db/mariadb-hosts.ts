/**
 * The hosts of a replicated MariaDB. All processes use one of them, because filestore's locks are those of one database
 * server.
 */
import { setTimeout } from 'node:timers/promises'
import { second } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { ConnectError, driverError } from './connections.ts'

/** The part of a session that is needed to ask whether its host takes changes. */
export interface Asked {
  /** Returns the rows of a SHOW statement. */
  show(sql: string): Promise<Record<string, unknown>[]>
}

const defaultPort = '3306'

/** Returns an address for each host: that of the URL, then those of its parameter `or`, as in `?or=h2,h3:3307`. */
export function urlsOf(url: string): [string, ...string[]] {
  const first = new URL(url)
  const parameters = new URLSearchParams(first.search)
  const others = parameters.get('or')?.split(',') ?? []
  parameters.delete('or')
  first.search = parameters.toString()
  return [
    first.href,
    ...others.map(host => {
      const [, hostname = '', port = defaultPort] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
      const other = new URL(first)
      other.hostname = hostname
      other.port = port
      return other.href
    }),
  ]
}

const hostOf = (url: string): string => new URL(url).host

/**
 * Throws unless a host takes changes. Those of a Galera cluster are refused as `invalid_input`: all of them take changes, and
 * none knows the row locks of another.
 */
export async function refuseHost(url: string, { show }: Asked): Promise<void> {
  const rows = await show("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'wsrep_on')")
  const setting = (name: string) => rows.find(row => row.Variable_name === name)?.Value
  if (setting('wsrep_on') === 'ON') {
    const remedy = 'give one address, that of a proxy with one active writer'
    throw new AppError(
      'invalid_input',
      `--database: ${hostOf(url)} is of a Galera cluster: instead of a list ${remedy}`,
    )
  }
  // Newer releases have other values than ON.
  if (setting('read_only') !== 'OFF') throw new Error(`takes no changes, read_only is ${setting('read_only')}`)
}

/** Errors of a host that works. At another one there might be room, or the user; but its rows are not those of this one. */
const ownErrors = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_BAD_DB_ERROR',
  'ER_CON_COUNT_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_HOST_IS_BLOCKED',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_USER_LIMIT_REACHED',
])
const isOwn = (error: unknown): boolean => error instanceof AppError || ownErrors.has(driverError(error).code ?? '')

/** ms between the two checks of a host that fail before it is left. */
const checkPause = second

export interface Driver<Session> {
  open(url: string): Promise<Session>
  show(session: Session, sql: string): ReturnType<Asked['show']>
  destroy(session: Session): void
}

export interface Hosts<Session> {
  /** Opens a session at the current host. Throws ConnectError with the reason of each host if none takes changes. */
  open(): Promise<{ url: string; session: Session }>
  current(): string
}

/**
 * Begins with the first of the hosts, and stays at one while it takes changes: processes at two hosts would not see each
 * other's locks. It is left when two checks in a row fail, for the first that takes changes.
 */
export function openHosts<Session>(urls: readonly [string, ...string[]], driver: Driver<Session>): Hosts<Session> {
  let current = urls[0]
  let leaving: Promise<void> | undefined
  let asked: Promise<unknown> | undefined

  async function enter(url: string): Promise<Session> {
    const session = await driver.open(url)
    try {
      await refuseHost(url, { show: sql => driver.show(session, sql) })
      return session
    } catch (error) {
      driver.destroy(session)
      throw error
    }
  }
  const check = async (url: string): Promise<void> => driver.destroy(await enter(url))

  /** Refuses a cluster before it is needed. A host that does not answer now is asked when it is. */
  const refuseClusters = () =>
    Promise.all(
      urls.slice(1).map(url =>
        check(url).catch(error => {
          if (error instanceof AppError) throw error
        }),
      ),
    )

  /** Checks the current host a second time, then the others in their order. */
  async function leave(): Promise<void> {
    await setTimeout(checkPause)
    const reasons: string[] = []
    for (const url of [current, ...urls.filter(other => other !== current)]) {
      try {
        await check(url)
        current = url
        return
      } catch (error) {
        if (error instanceof AppError || (url === current && isOwn(error))) throw error
        // A refused connection to a name of several addresses has no message.
        const { message, code } = driverError(error)
        reasons.push(`${hostOf(url)} (${message || code})`)
      }
    }
    throw new ConnectError(new Error(reasons.join(', ')))
  }

  return {
    open: async () => {
      asked ??= refuseClusters()
      await asked
      const url = current
      try {
        return { url, session: await enter(url) }
      } catch (error) {
        if (isOwn(error)) throw error
      }
      leaving ??= leave().finally(() => {
        leaving = undefined
      })
      await leaving
      const next = current
      return { url: next, session: await enter(next) }
    },
    current: () => current,
  }
}
