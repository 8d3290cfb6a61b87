/**
 * Limits the bytes of large answers that clients have not read yet, for the whole process. Waiting would not help: an
 * answer that waits is as large as one that is unread, and clients that read nothing would make all others wait.
 */
import type { Context } from 'koa'
import type { Actor } from '../../access/actor.ts'
import { isClientGone } from '../client-gone.ts'

/** Bytes of all unread answers. */
const mostOfAll = 64 * 1024 ** 2

/** The bytes of one user's unread answers, the oldest first. */
type Unread = Map<Context, number>

const sumOf = (unread: Unread): number => [...unread.values()].reduce((sum, bytes) => sum + bytes, 0)

/**
 * Opens the budget of one process. The returned function counts an answer until it is read. If all answers together are
 * too large, it cuts off the oldest answer of the user who has the most unread bytes; all strangers are one user.
 */
export function openAnswerBudget(): (ctx: Context, bytes: number) => void {
  const users = new Map<number | undefined, Unread>()

  function forget(userId: number | undefined, ctx: Context): void {
    const unread = users.get(userId)
    unread?.delete(ctx)
    if (unread?.size === 0) users.delete(userId)
  }

  function cutOne(): void {
    const [heaviest] = [...users].sort(([, one], [, other]) => sumOf(other) - sumOf(one))
    const [oldest] = heaviest?.[1].keys() ?? []
    if (oldest === undefined) return
    forget(heaviest?.[0], oldest)
    oldest.req.socket.destroy()
  }

  return (ctx, bytes) => {
    if (isClientGone(ctx)) return
    const userId = (ctx.state.actor as Actor | undefined)?.userId
    const unread = users.get(userId) ?? new Map()
    users.set(userId, unread.set(ctx, bytes))
    ctx.res.once('close', () => forget(userId, ctx))
    while ([...users.values()].reduce((sum, one) => sum + sumOf(one), 0) > mostOfAll) cutOne()
  }
}
