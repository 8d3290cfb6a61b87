/**
 * The hosts of a replicated MariaDB, or of a Galera cluster. All processes use one of them, because filestore's locks are
 * those of one database server. On a cluster, locks also hold where two are used for a moment: `lock` in mariadb.ts.
 */
import { setTimeout } from 'node:timers/promises'
import { second } from '../base/clock.ts'
import { ConnectError, driverError } from './connections.ts'

/** Returns the rows of a SHOW statement, at the host that is asked whether it takes changes. */
export type Show = (sql: string) => Promise<Record<string, unknown>[]>

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

/** Throws unless a host takes changes. A node of a Galera cluster does while it is one of the majority. */
export async function refuseHost(show: Show): Promise<void> {
  const rows = await show("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'wsrep_on')")
  const setting = (name: string) => rows.find(row => row.Variable_name === name)?.Value
  // Newer releases have other values than ON.
  if (setting('read_only') !== 'OFF') throw new Error(`takes no changes, read_only is ${setting('read_only')}`)
  if (setting('wsrep_on') !== 'ON') return
  const [ready] = await show("SHOW GLOBAL STATUS WHERE Variable_name = 'wsrep_ready'")
  if (ready?.Value !== 'ON') throw new Error(`takes no changes, wsrep_ready is ${ready?.Value}`)
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
const isOwn = (error: unknown): boolean => ownErrors.has(driverError(error).code ?? '')

/** ms between the two checks of a host that fail before it is left. */
const checkPause = second

export interface Driver<Session> {
  open(url: string): Promise<Session>
  show(session: Session, sql: string): ReturnType<Show>
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

  async function enter(url: string): Promise<Session> {
    const session = await driver.open(url)
    try {
      await refuseHost(sql => driver.show(session, sql))
      return session
    } catch (error) {
      driver.destroy(session)
      throw error
    }
  }
  const check = async (url: string): Promise<void> => driver.destroy(await enter(url))

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
        if (url === current && isOwn(error)) throw error
        // A refused connection to a name of several addresses has no message.
        const { message, code } = driverError(error)
        reasons.push(`${hostOf(url)} (${message || code})`)
      }
    }
    throw new ConnectError(new Error(reasons.join(', ')))
  }

  return {
    open: async () => {
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
