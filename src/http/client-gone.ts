/** Tells whether an answer has nobody to go to any more. */
import type { Context } from 'koa'
import { AppError } from '../base/errors.ts'

/**
 * Whether the client has gone. Ask before waiting for 'close', which then never comes again: what it should end would
 * be held for ever. Both are asked, for Node does not call a response closed that waits behind another when their
 * connection ends (http/connections.ts emits its 'close').
 */
export const isClientGone = ({ res, req }: Pick<Context, 'res' | 'req'>): boolean => res.closed || req.socket.destroyed

/** What ends the work for such an answer; nobody reads it. */
export const clientHasGone = (): AppError => new AppError('rate_limited', 'The client has gone', { retryAfter: 1 })
