/**
 * Limits the bytes of large answers that clients have not read yet, for the whole process. Waiting would not help: an
 * answer that waits is as large as one that is unread, and clients that read nothing would make all others wait.
 */
import type { Context } from 'koa'
import { adderId, type Caller, sharingNetwork } from '../../access/actor.ts'
import { groupBy } from '../../base/group-by.ts'
import { holdHeap } from '../../base/hold-heap.ts'
import { isClientGone } from '../client-gone.ts'

/** Bytes of all unread answers. */
const mostOfAll = 64 * 1024 ** 2

interface Unread {
  ctx: Context
  /** The user to whom it counts: by a link, who answers for it; undefined for strangers, who are one. */
  userId: number | undefined
  /** Null unless a visitor's. */
  network: string | null
  bytes: number
}

const sumOf = (answers: Iterable<Unread>): number => [...answers].reduce((sum, { bytes }) => sum + bytes, 0)

/** Those of whoever has the most bytes among some answers, in their order. */
function heaviestBy<Key>(answers: Iterable<Unread>, keyOf: (answer: Unread) => Key): Unread[] {
  const shares = [...groupBy(answers, keyOf).values()]
  return shares.reduce<Unread[]>((one, other) => (sumOf(other) > sumOf(one) ? other : one), [])
}

/**
 * Opens the budget of one process. The returned function counts an answer until it is read. If all answers together are
 * too large, it cuts off the oldest answer of the user who has the most unread bytes: while visitors of the user's links
 * have some, the oldest of the network that has the most of these.
 */
export function openAnswerBudget(): (ctx: Context, bytes: number) => void {
  /** The oldest first. */
  const answers = new Set<Unread>()

  function cutOne(): void {
    const ofUser = heaviestBy(answers, ({ userId }) => userId)
    const ofVisitors = ofUser.filter(({ network }) => network !== null)
    const [oldest] = ofVisitors.length > 0 ? heaviestBy(ofVisitors, ({ network }) => network) : ofUser
    if (oldest === undefined) return
    answers.delete(oldest)
    oldest.ctx.req.socket.destroy()
  }

  return (ctx, bytes) => {
    if (isClientGone(ctx)) return
    const caller = ctx.state.actor as Caller | undefined
    const whose = caller === undefined ? { userId: undefined, network: null } : ownerOf(caller)
    const answer: Unread = { ctx, ...whose, bytes }
    answers.add(answer)
    ctx.res.once('close', () => answers.delete(answer))
    holdHeap(sumOf(answers))
    while (sumOf(answers) > mostOfAll) cutOne()
  }
}

const ownerOf = (caller: Caller) => ({ userId: adderId(caller), network: sharingNetwork(caller) })
