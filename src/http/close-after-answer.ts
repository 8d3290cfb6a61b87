/** Closes the connection of a client that keeps sending a refused body. */
import type { Socket } from 'node:net'
import type { Context } from 'koa'

/** ms until the socket is destroyed; the client needs them to read the response. */
const lingerTime = 2000

/**
 * Ends our side of a connection, after a last text if given, and closes it when the client has had time to read: a socket
 * closed with unread bytes is reset, and the client may lose the response.
 */
export function closeSlowly(socket: Socket, text?: string): void {
  // A server that is stopping closes each connection once more.
  if (!socket.writable) return
  if (text === undefined) socket.end()
  else socket.end(text)
  setTimeout(() => socket.destroy(), lingerTime).unref()
}

/** Ends the connection after the response. What arrives meanwhile is dropped, or is not read if the request was cut off. */
export function closeAfterAnswer({ req: { socket }, res }: Pick<Context, 'req' | 'res'>): void {
  // It has been cut off (http/cut-off.ts), or is being answered: then its connection closes when its body stalls.
  if (res.headersSent) return
  res.setHeader('Connection', 'close')
  // Node would close at once. Our side has to end now: connections.ts takes no request of a connection whose responses
  // have ended.
  socket.destroySoon = () => closeSlowly(socket)
}
