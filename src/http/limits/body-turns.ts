/** Parses large bodies one at a time, users in turn, so that one user's bodies do not delay everybody's requests. */
import type { Context } from 'koa'
import { accountOf, type Caller, sharingNetwork } from '../../access/actor.ts'
import { openLanes } from './lanes.ts'

/** Bytes of a body that is parsed at once: parsing it takes less time than the rest of its request. */
const small = 16 * 1024

/**
 * After a body was parsed, the user's next one waits for this many times as long, so that a user who sends bodies
 * without end leaves three quarters of the time to others.
 */
const restPerWork = 3

/**
 * Parses a body of that many bytes when it is its turn. Returns the result, and whether it had to wait, because the
 * caller may have lost access meanwhile. Throws if its client has disconnected by then.
 */
type ParseInTurn = <T>(
  ctx: Context,
  caller: Caller,
  bytes: number,
  parse: () => T,
) => Promise<{ value: T; hasWaited: boolean }>

/** Opens the turns of one process. */
export function openBodyTurns(): ParseInTurn {
  const enter = openLanes()
  return async (ctx, caller, bytes, parse) => {
    if (bytes <= small) return { value: parse(), hasWaited: false }
    const ofUser = await enter(ctx, accountOf(caller), 1, { network: sharingNetwork(caller) })
    const ofAll = await enter(ctx, 'all', 1).catch(error => {
      ofUser.end()
      throw error
    })
    const began = performance.now()
    try {
      return { value: parse(), hasWaited: ofUser.hasWaited || ofAll.hasWaited }
    } finally {
      const rest = restPerWork * (performance.now() - began)
      // Other requests get their turn of the event loop between two bodies.
      setImmediate(() => {
        ofAll.end()
        ofUser.end(rest)
      })
    }
  }
}
