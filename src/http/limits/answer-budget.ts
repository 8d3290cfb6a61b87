/**
 * Limits the bytes of large answers that clients have not read yet, for the whole process. Waiting would not help: an
 * answer that waits is as large as one that is unread, and clients that read nothing would make all others wait.
 */
import type { Context } from 'koa'
import { accountOf, type Caller } from '../../access/actor.ts'
import { holdHeap } from '../../base/hold-heap.ts'
import { isClientGone } from '../client-gone.ts'

/** Bytes of all unread answers. */
const mostOfAll = 64 * 1024 ** 2

/** The bytes of one account's unread answers (see `accountOf`), the oldest first. */
type Unread = Map<Context, number>

const sumOf = (unread: Unread): number => [...unread.values()].reduce((sum, bytes) => sum + bytes, 0)

const sumOfAll = (accounts: ReadonlyMap<string | undefined, Unread>): number =>
  [...accounts.values()].reduce((sum, unread) => sum + sumOf(unread), 0)

/**
 * Opens the budget of one process. The returned function counts an answer until it is read. If all answers together are
 * too large, it cuts off the oldest answer of the account that has the most unread bytes; all strangers are one.
 */
export function openAnswerBudget(): (ctx: Context, bytes: number) => void {
  const accounts = new Map<string | undefined, Unread>()

  function forget(account: string | undefined, ctx: Context): void {
    const unread = accounts.get(account)
    unread?.delete(ctx)
    if (unread?.size === 0) accounts.delete(account)
  }

  function cutOne(): void {
    const [heaviest] = [...accounts].sort(([, one], [, other]) => sumOf(other) - sumOf(one))
    const [oldest] = heaviest?.[1].keys() ?? []
    if (oldest === undefined) return
    forget(heaviest?.[0], oldest)
    oldest.req.socket.destroy()
  }

  return (ctx, bytes) => {
    if (isClientGone(ctx)) return
    const caller = ctx.state.actor as Caller | undefined
    const account = caller === undefined ? undefined : accountOf(caller)
    const unread = accounts.get(account) ?? new Map()
    accounts.set(account, unread.set(ctx, bytes))
    ctx.res.once('close', () => forget(account, ctx))
    holdHeap(sumOfAll(accounts))
    while (sumOfAll(accounts) > mostOfAll) cutOne()
  }
}
