/** Closes the connection of a client that keeps sending a refused body. */
import type { Context } from 'koa'

/** ms until the socket is destroyed; the client needs them to read the response. */
const lingerTime = 2000

/** Lets a client that is still sending read the response, then closes the connection. */
export function closeAfterAnswer(ctx: Context): void {
  const { socket } = ctx.req
  ctx.set('Connection', 'close')
  // Node would close at once. A socket closed with unread bytes is reset, and the client may lose the response.
  socket.destroySoon = () => {
    setTimeout(() => socket.destroy(), lingerTime).unref()
  }
}
