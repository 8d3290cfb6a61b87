/** /healthz: the process responds. /readyz: its database and its store respond too, and it is not about to stop. */
import type { Context, Next } from 'koa'
import type { Deps } from '../deps.ts'

async function isReady({ db, store }: Deps): Promise<boolean> {
  try {
    await Promise.all([db.row('SELECT 1 AS one'), store.check()])
    return true
  } catch {
    return false
  }
}

/** `isStopping` tells whether balancers must send no more requests here. */
export function answerHealth(deps: Deps, isStopping: () => boolean) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path !== '/healthz' && ctx.path !== '/readyz') return next()
    ctx.set('Cache-Control', 'no-store')
    const ready = ctx.path === '/healthz' || (!isStopping() && (await isReady(deps)))
    ctx.status = ready ? 200 : 503
    ctx.body = { status: ready ? 'ok' : 'unavailable' }
  }
}
