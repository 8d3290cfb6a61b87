/**
 * Limits the documents that are sent at once to a network. They are large, and anybody may ask for them: hundreds of
 * connections that ask and read nothing would keep the process busy with filling their sockets. With the limit they keep
 * others of their network from the document, until they are cut off, and from nothing else.
 */
import type { Context } from 'koa'
import { networkOf } from '../../access/network.ts'
import { second } from '../../base/clock.ts'
import { openLanes, type Permit } from './lanes.ts'

const atOnce = 4
/** ms that a request waits for its turn. */
const patience = 10 * second

/** Opens the counts of one process. The returned function throws `rate_limited` after a wait without a turn. */
export function openDocumentPermits(): (ctx: Context) => Promise<Permit> {
  const enter = openLanes()
  return ctx => enter(ctx, networkOf(String(ctx.state.address)), atOnce, { patience })
}
