/** Ends requests that take too long, bring too much, or give way to others. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../base/errors.ts'
import { closeAfterAnswer } from './close-after-answer.ts'
import { errorBody } from './error-body.ts'
import { fileHeaders } from './file-headers.ts'

/**
 * Ends a request, and answers it with the reason if no answer has begun: a balancer takes a server that closes a connection
 * without an answer for a dead one, and sends it nobody's requests for a while. Whoever reads the body gets the reason, too.
 */
export function cutOff(req: IncomingMessage, res: ServerResponse, reason: AppError): void {
  // It has been cut off before, and its client may still read the answer.
  if (req.errored instanceof AppError) return
  // A response that waits behind another has no socket yet.
  if (res.headersSent || res.socket === null) {
    req.socket.destroy()
    // Node forgets a request whose response has ended, and would leave its readers waiting.
    if (!req.complete) req.destroy()
    return
  }
  // Of the answer that was being prepared.
  for (const name of fileHeaders) res.removeHeader(name)
  closeAfterAnswer({ req, res })
  if (reason.retryAfter !== undefined) res.setHeader('Retry-After', reason.retryAfter)
  res.setHeader('Cache-Control', 'no-store')
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  const body = JSON.stringify(errorBody(reason, String(res.getHeader('X-Request-Id'))))
  res.setHeader('Content-Length', Buffer.byteLength(body))
  res.statusCode = reason.status
  res.end(body)
  if (!req.complete) req.destroy(reason)
}
