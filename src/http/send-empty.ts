/** Answers with a status and headers alone. */
import type { Context } from 'koa'
import type { Reply } from '../reply.ts'

export function sendEmpty(ctx: Context, { status, headers }: Extract<Reply<unknown>, { kind: 'empty' }>): void {
  ctx.set({ ...headers })
  ctx.status = status
  // Without a body Koa would send the words of the status.
  if (status === 204 || ctx.method === 'HEAD') return
  ctx.body = ''
  ctx.remove('Content-Type')
}
