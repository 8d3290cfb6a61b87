/** Ends a server in good order: idle connections close at once, running requests finish. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * ms without a byte after which a client that does not read its answer is cut, or twice as many: Node compares what is
 * left to write from one time to the next. http/slow-body.ts cuts those that do not send.
 */
const stallTime = 60_000
/** ms for a request that has begun to arrive: once a server closes, Node no longer looks at its headersTimeout. */
const headTime = 5_000

/**
 * Watches a server's requests from its start on. The function it gives back stops the server: it resolves when the last
 * request has ended, with the number of those that were cut, because their client stalled or because `end` said that all
 * are to end at once.
 */
export function openDrain(server: Server): (end?: AbortSignal) => Promise<number> {
  // By socket, for a response that waits behind another does not close where its socket does.
  const running = new Map<Socket, Set<ServerResponse>>()
  let isStopping = false
  let cut = 0

  const letFinish = (response: ServerResponse) => {
    // Else a client that asks again and again on its one connection would never let go.
    if (!response.headersSent) response.shouldKeepAlive = false
    const { socket } = response.req
    // The time begins anew with each byte. While nothing waits to be read, the answer is still being made.
    response.setTimeout(stallTime, () => {
      if (socket.writableLength === 0) return
      cut += 1
      socket.destroy()
    })
  }
  server.on('connection', socket => {
    running.set(socket, new Set())
    socket.once('close', () => {
      // Node tells none of those that wait behind another: what they hold, files and turns, would be held for ever.
      for (const response of [...(running.get(socket) ?? [])]) if (response.socket === null) response.emit('close')
      running.delete(socket)
    })
  })
  // Before the app, which may have answered when it returns.
  server.prependListener('request', (_request, response: ServerResponse) => {
    const together = running.get(response.req.socket)
    together?.add(response)
    // One listener for both: a download has so many that Node soon suspects a leak.
    response.once('close', () => {
      together?.delete(response)
      if (isStopping) response.req.socket.destroySoon()
    })
    if (isStopping) letFinish(response)
  })

  return async end => {
    isStopping = true
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    for (const responses of running.values()) responses.forEach(letFinish)
    const closeSilent = setTimeout(() => {
      for (const [socket, responses] of running) if (responses.size === 0) socket.destroy()
    }, headTime)
    const cutAll = () => {
      for (const responses of running.values()) cut += responses.size
      server.closeAllConnections()
    }
    if (end?.aborted) cutAll()
    else end?.addEventListener('abort', cutAll, { once: true })
    await closed
    clearTimeout(closeSilent)
    return cut
  }
}
