/**
 * Limits the bytes of large answers that clients have not read yet, for the whole process. Waiting would not help: an
 * answer that waits is as large as one that is unread, and clients that read nothing would make all others wait.
 */
import type { Context } from 'koa'
import { accountOf, type Caller, sharingNetwork } from '../../access/actor.ts'
import { groupBy } from '../../base/group-by.ts'
import { holdHeap } from '../../base/hold-heap.ts'
import { isClientGone } from '../client-gone.ts'

/** Bytes of all unread answers. */
const mostOfAll = 64 * 1024 ** 2

interface Unread {
  ctx: Context
  /** See `accountOf`; undefined for strangers, who are one. */
  account: string | undefined
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
 * too large, it cuts off the oldest answer of the account that has the most unread bytes, and of a link the oldest of the
 * network that has the most.
 */
export function openAnswerBudget(): (ctx: Context, bytes: number) => void {
  /** The oldest first. */
  const answers = new Set<Unread>()

  function cutOne(): void {
    const ofAccount = heaviestBy(answers, ({ account }) => account)
    const [oldest] = heaviestBy(ofAccount, ({ network }) => network)
    if (oldest === undefined) return
    answers.delete(oldest)
    oldest.ctx.req.socket.destroy()
  }

  return (ctx, bytes) => {
    if (isClientGone(ctx)) return
    const caller = ctx.state.actor as Caller | undefined
    const whose = caller === undefined ? { account: undefined, network: null } : ownerOf(caller)
    const answer: Unread = { ctx, ...whose, bytes }
    answers.add(answer)
    ctx.res.once('close', () => answers.delete(answer))
    holdHeap(sumOf(answers))
    while (sumOf(answers) > mostOfAll) cutOne()
  }
}

const ownerOf = (caller: Caller) => ({ account: accountOf(caller), network: sharingNetwork(caller) })
