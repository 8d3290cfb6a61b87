/** Detects that nobody takes an answer any more. */
import type { Context } from 'koa'

/**
 * Whether the client has disconnected, or its request has been cut off. Check it before waiting for 'close', which does
 * not fire again; otherwise what it should release is held for ever. The socket is looked at, too: if a response waits
 * behind another when their connection ends, Node does not mark it as closed (http/connections.ts emits its 'close').
 */
export const isClientGone = ({ res, req }: Pick<Context, 'res' | 'req'>): boolean =>
  res.closed || res.writableEnded || req.socket.destroyed
