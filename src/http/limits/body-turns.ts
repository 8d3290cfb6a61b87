/** Parses large bodies one at a time, users in turn, so that one user's bodies do not delay everybody's requests. */
import type { Context } from 'koa'
import { accountOf, type Caller, sharingNetwork } from '../../access/actor.ts'
import { makerLaneOf, openLanes, type Permit } from './lanes.ts'

/** Bytes of a body that is parsed at once: parsing it takes less time than the rest of its request. */
const small = 16 * 1024

/**
 * After a body was parsed, the user's next one waits for this many times as long, so that a user who sends bodies
 * without end leaves three quarters of the time to others.
 */
const restPerWork = 3

/** The lane of all bodies, which users and the makers of links enter with one each. */
const all = 'all'

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
    const names = [accountOf(caller), makerLaneOf(caller), all].filter(name => name !== null)
    const permits: Permit[] = []
    try {
      for (const name of names) {
        permits.push(await enter(ctx, name, 1, { network: name === all ? null : sharingNetwork(caller) }))
      }
    } catch (error) {
      for (const permit of permits.reverse()) permit.end()
      throw error
    }
    const began = performance.now()
    try {
      return { value: parse(), hasWaited: permits.some(({ hasWaited }) => hasWaited) }
    } finally {
      const rest = restPerWork * (performance.now() - began)
      // Other requests get their turn of the event loop between two bodies.
      setImmediate(() => {
        permits.pop()?.end()
        for (const permit of permits.reverse()) permit.end(rest)
      })
    }
  }
}
