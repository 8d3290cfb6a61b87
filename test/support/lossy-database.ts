/** A proxy to MariaDB that can lose the answer to a commit: the database commits, and the client never learns it. */
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface LossyDatabase {
  /** The URL of the same database through this proxy. */
  url: string
  /** Closes the connection that next commits an insert into this table, once the database has answered. */
  loseNextCommit(table: string): void
  /** How many answers were lost. */
  lost(): number
  close(): Promise<void>
}

/** `url` is `mysql://user@host:port/name`. */
export async function openLossyDatabase(url: string): Promise<LossyDatabase> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let table: string | undefined
  let lost = 0

  function join(client: Socket): void {
    const server = connect(Number(target.port || 3306), target.hostname)
    let hasAdded = false
    let isCommitting = false
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    client.on('data', bytes => {
      const text = bytes.toString('latin1')
      hasAdded ||= table !== undefined && text.includes(`INSERT INTO ${table} (`)
      isCommitting = hasAdded && text.includes('COMMIT')
      server.write(bytes)
    })
    server.on('data', bytes => {
      if (!isCommitting || table === undefined) return client.write(bytes)
      table = undefined
      lost += 1
      end()
    })
  }

  const proxy: Server = createServer(join)
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const lossy = new URL(url)
  lossy.port = String(address.port)
  return {
    url: lossy.href,
    loseNextCommit: name => {
      table = name
    },
    lost: () => lost,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => proxy.close(resolve))
    },
  }
}
