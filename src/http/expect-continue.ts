/**
 * Answers `Expect: 100-continue` (RFC 9110 section 10.1.1) when the body is first read, not at the head as Node does: a
 * request that is refused by its head is answered before the client sends gigabytes.
 */
import type { Server, ServerResponse } from 'node:http'
import type { BoundedRequest } from './limits/bounded-request.ts'

type BoundedServer = Server<typeof BoundedRequest>

/** Passes such requests on, and asks for their bodies once somebody reads these. */
export function holdBackBodies(server: BoundedServer): void {
  server.on('checkContinue', (request: BoundedRequest, response: ServerResponse) => {
    // An answer without the body ends the connection: the client may send it anyway, or another request in its place.
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    request.holdBack(() => {
      if (response.headersSent) return
      response.shouldKeepAlive = shouldKeepAlive
      response.writeContinue()
    })
    server.emit('request', request, response)
  })
}
