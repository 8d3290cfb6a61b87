/** A proxy between a client and a real server, which can lose requests and answers. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What happens to one request: the connection breaks before or after the server has it, or the proxy answers itself. */
export type Fate = 'forward' | 'break before' | 'break after' | number

interface Between {
  url: string
  /** Method and path of every request, in order. */
  requests: string[]
  /** The most requests under way at once. */
  most(): number
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse, fate: Fate): void {
  const { method, url, headers } = incoming
  const onward = request(target + url, { method, headers }, answer => {
    if (fate === 'break after') {
      answer.resume().once('end', () => incoming.socket.destroy())
      return
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  onward.once('error', () => incoming.socket.destroy())
  incoming.pipe(onward)
}

/** Starts the proxy, and stops it when the test ends. `fateOf` gets the method and path of each request. */
export async function startBetween(target: string, fateOf: (name: string) => Fate): Promise<Between> {
  const requests: string[] = []
  let [underWay, most] = [0, 0]
  const proxy = createServer((incoming, outgoing) => {
    const name = `${incoming.method} ${incoming.url?.split('?')[0]}`
    requests.push(name)
    underWay += 1
    most = Math.max(most, underWay)
    outgoing.once('close', () => {
      underWay -= 1
    })
    const fate = fateOf(name)
    const lose = () => incoming.socket.destroy()
    // At the first bytes of its body, or at once without one.
    if (fate === 'break before') incoming.once('data', lose).once('end', lose)
    else if (typeof fate === 'number') incoming.resume().once('end', () => outgoing.writeHead(fate).end())
    else forward(target, incoming, outgoing, fate)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests, most: () => most }
}
