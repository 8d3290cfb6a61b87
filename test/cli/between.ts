/** A proxy between a client and a real server, which can lose requests and answers. */
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * What happens to one request: the connection breaks before or after the server has it, or once so many bytes of its
 * body have come; or the proxy answers itself.
 */
export type Fate = 'forward' | 'break before' | 'break after' | { breakAt: number } | number

interface Between {
  url: string
  /** Method and path of every request, in order. */
  requests: string[]
  /** Bytes of all bodies that came from the client. */
  received(): number
  /** Resolves once so many bytes of bodies have come. */
  whenReceived(bytes: number): Promise<void>
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
  if (typeof fate === 'object') {
    let bytes = 0
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes < fate.breakAt) return
      incoming.socket.destroy()
      onward.destroy()
    })
  }
  incoming.pipe(onward)
}

/** Starts the proxy, and stops it when the test ends. `fateOf` gets the method and path of each request, and its headers. */
export async function startBetween(
  target: string,
  fateOf: (name: string, headers: IncomingHttpHeaders) => Fate,
): Promise<Between> {
  const requests: string[] = []
  let received = 0
  const came = new EventEmitter()
  let [underWay, most] = [0, 0]
  const proxy = createServer((incoming, outgoing) => {
    const name = `${incoming.method} ${incoming.url?.split('?')[0]}`
    requests.push(name)
    underWay += 1
    most = Math.max(most, underWay)
    outgoing.once('close', () => {
      underWay -= 1
    })
    incoming.on('data', (chunk: Buffer) => {
      received += chunk.length
      came.emit('bytes')
    })
    const fate = fateOf(name, incoming.headers)
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
  const whenReceived = async (bytes: number) => {
    while (received < bytes) await once(came, 'bytes')
  }
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    requests,
    received: () => received,
    whenReceived,
    most: () => most,
  }
}
