/** Closes the connection of a client that keeps sending a refused body. */
import type { Context } from 'koa'

/** ms until the socket is destroyed; the client needs them to read the response. */
const lingerTime = 2000

/**
 * Ends the connection after the response, but not before the client can have read it: a socket closed with unread bytes is
 * reset, and the client may lose the response. What arrives meanwhile is dropped.
 */
export function closeAfterAnswer({ req: { socket }, res }: Pick<Context, 'req' | 'res'>): void {
  // It has been cut off (http/cut-off.ts), or is being answered: then its connection closes when its body stalls.
  if (res.headersSent) return
  res.setHeader('Connection', 'close')
  // Node would close at once.
  socket.destroySoon = () => {
    // Our side has to end now: connections.ts takes no request of a connection whose responses have ended.
    socket.end()
    setTimeout(() => socket.destroy(), lingerTime).unref()
  }
}
