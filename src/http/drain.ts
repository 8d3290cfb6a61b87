/** Ends a server in good order: idle connections close at once, running requests finish. */
import type { Server, ServerResponse } from 'node:http'
import type { Connections } from './connections.ts'

/** ms for a request that has begun to arrive: once a server closes, Node no longer looks at its headersTimeout. */
const headTime = 5_000

/** Else a client that asks again and again on its one connection would never let go. */
function letGo(response: ServerResponse): void {
  if (!response.headersSent) response.shouldKeepAlive = false
}

/**
 * Gives back a function that stops a server: it resolves when the last request has ended, with the number of those that
 * were cut, because their client stalled or because `end` said that all are to end at once.
 */
export function openDrain(server: Server, connections: Connections): (end?: AbortSignal) => Promise<number> {
  return async end => {
    const cutBefore = connections.cut()
    let cut = 0
    connections.endWithAnswers()
    // Before the app, which may have answered when it returns.
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
