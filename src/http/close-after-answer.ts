/** Ends the connection of a client that goes on sending a body which has been refused. */
import type { Context } from 'koa'

/** ms for which the client may go on before its socket is destroyed; it needs them to read the answer. */
const lingerTime = 2000

/** Lets a client that is still sending read the answer, then ends the connection. */
export function closeAfterAnswer(ctx: Context): void {
  const { socket } = ctx.req
  ctx.set('Connection', 'close')
  // Node would close at once; a socket closed with unread bytes is reset, and the answer is lost on the way.
  socket.destroySoon = () => {
    setTimeout(() => socket.destroy(), lingerTime).unref()
  }
}
