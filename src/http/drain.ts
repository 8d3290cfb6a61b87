/** Shuts a server down gracefully: idle connections close at once, running requests finish. */
import type { Server, ServerResponse } from 'node:http'
import type { Connections } from './connections.ts'

/** ms for a request that has begun to arrive; Node does not apply its headersTimeout after the server is closed. */
const headTime = 5_000

/** Ends keep-alive, so that a client that sends one request after another does not keep its connection for ever. */
function letGo(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false
}

/**
 * Returns a function that stops a server. It resolves when the last request has ended, with the number of requests that
 * were cut off, because their client stalled or because `end` aborted all of them.
 */
export function openDrain(server: Server, connections: Connections): (end?: AbortSignal) => Promise<number> {
  return async end => {
    const cutBefore = connections.cut()
    let cut = 0
    connections.endWithAnswers()
    // Runs before the app's own listener, which may already have sent its response when it returns.
    server.prependListener('request', (_request, response) => letGo(response))
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    for (const [, answers] of connections.all()) answers.forEach(letGo)
    const closeSilent = setTimeout(() => {
      for (const [socket, answers] of connections.all()) if (answers.size === 0) socket.destroy()
    }, headTime)
    const cutAll = () => {
      for (const [, answers] of connections.all()) cut += answers.size
      server.closeAllConnections()
    }
    if (end?.aborted) cutAll()
    else end?.addEventListener('abort', cutAll, { once: true })
    await closed
    clearTimeout(closeSilent)
    return cut + connections.cut() - cutBefore
  }
}
