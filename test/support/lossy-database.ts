/**
 * A proxy to MariaDB that can lose the answer to a commit, so that the client never learns of it, and can hold a commit back
 * until the client has given up.
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export interface LossyDatabase {
  /** The URL of the same database through this proxy. */
  url: string
  /** Closes the connection that next commits an insert into this table, once the database has answered. */
  loseNextCommit(table: string): void
  /**
   * Closes the client's connection at the commit of the next write whose statements or values bear this text. The commit is
   * under way until the returned function is called, which resolves once the database has committed.
   */
  holdNextCommit(text: string): Send
  /** How many answers were lost. */
  lost(): number
  close(): Promise<void>
}

/** Sends a commit that was held back; resolves once the database has answered. */
type Send = () => Promise<void>

/** `url` is `mysql://user@host:port/name`. */
export async function openLossyDatabase(url: string): Promise<LossyDatabase> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let table: string | undefined
  let lost = 0
  /** The text of the write whose commit is to be held back, and what is told of it. */
  let held: { text: string; take(send: Send): void } | undefined

  function join(client: Socket): void {
    const server = connect(Number(target.port || 3306), target.hostname)
    let hasAdded = false
    let isCommitting = false
    let [isMeant, isHeld] = [false, false]
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => !isHeld && end())
    }
    client.on('data', bytes => {
      const text = bytes.toString('latin1')
      isMeant ||= held !== undefined && text.includes(held.text)
      if (isMeant && held !== undefined && text.includes('COMMIT')) {
        isHeld = true
        held.take(async () => {
          const answer = once(server, 'data')
          server.write(bytes)
          await answer
        })
        held = undefined
        lost += 1
        client.destroy()
        return
      }
      hasAdded ||= table !== undefined && text.includes(`INSERT INTO ${table} (`)
      isCommitting = hasAdded && text.includes('COMMIT')
      server.write(bytes)
    })
    server.on('data', bytes => {
      if (isHeld) return
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
    holdNextCommit: text => {
      const sending = new Promise<Send>(resolve => {
        held = { text, take: resolve }
      })
      return async () => (await sending)()
    },
    lost: () => lost,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => proxy.close(resolve))
    },
  }
}
