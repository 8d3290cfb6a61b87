/** Closes the connection of a client that keeps sending a refused body. */
import type { Context } from 'koa'

/** ms until the socket is destroyed; the client needs them to read the response. */
const lingerTime = 2000

/** Ends the connection after the response, but takes what the client is still sending, so that it can read the response. */
export function closeAfterAnswer(ctx: Context): void {
  const { socket } = ctx.req
  ctx.set('Connection', 'close')
  // Node would close at once. A socket closed with unread bytes is reset, and the client may lose the response.
  socket.destroySoon = () => {
    // Our side has to end now: connections.ts takes no request of a connection whose responses have ended.
    socket.end()
    setTimeout(() => socket.destroy(), lingerTime).unref()
  }
}
