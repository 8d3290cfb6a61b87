/**
 * The hosts of a replicated MariaDB. All processes take the first one in the address that takes changes, because filestore's
 * locks are those of one database server.
 */

/** The part of a session that is needed to ask whether its host takes changes. */
export interface Asked {
  /** Returns the rows of a SHOW statement. */
  show(sql: string): Promise<Record<string, unknown>[]>
}

const defaultPort = '3306'

/** Returns an address for each host: that of the URL, then those of its parameter `or`, as in `?or=h2,h3:3307`. */
export function urlsOf(url: string): string[] {
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

/** Whether a host takes changes: a node of a Galera cluster must be ready for them, any other server writable. */
export async function takesChanges({ show }: Asked): Promise<boolean> {
  const rows = [
    ...(await show("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'wsrep_on')")),
    ...(await show("SHOW GLOBAL STATUS LIKE 'wsrep_ready'")),
  ]
  const isOn = (name: string) => rows.some(row => row.Variable_name === name && row.Value === 'ON')
  return !isOn('read_only') && (!isOn('wsrep_on') || isOn('wsrep_ready'))
}

/**
 * Opens a session at the first host that takes changes, and returns it with its address. Rejects with the last host's error
 * if none does.
 */
export async function openFirst<Session>(
  urls: readonly string[],
  open: (url: string) => Promise<Session>,
  refuse: (session: Session) => Promise<void>,
): Promise<{ url: string; session: Session }> {
  let last: unknown
  for (const url of urls) {
    try {
      const session = await open(url)
      await refuse(session)
      return { url, session }
    } catch (error) {
      last = error
    }
  }
  throw last
}
