/** Turns any error into an API error response. Unexpected errors are logged, and the response has no details. */
import type { Context, Next } from 'koa'
import { Counter } from 'prom-client'
import { errorStatus } from '../api/errors.ts'
import { type AppError, isRefusal, systemCode } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { isOfDatabase, toAppError } from '../db/failures.ts'
import type { Deps } from '../deps.ts'
import { closeAfterAnswer } from './close-after-answer.ts'
import { errorBody } from './error-body.ts'
import { patternOf } from './path-pattern.ts'

const sources = ['database', 'store', 'other'] as const

/** The source of a failure. System error codes come from the store, unless the database's driver passed them on. */
function sourceOf({ code, cause }: AppError): (typeof sources)[number] {
  if (isOfDatabase(cause)) return 'database'
  return code === 'storage_full' || systemCode(cause) !== undefined ? 'store' : 'other'
}

/** Logs what failed, with its stack. A refusal, such as of a request too many, is the server at work: its reason is enough. */
function logFailure(log: Log, error: AppError, request: { requestId: string; route: string }): void {
  const { code, cause, message } = error
  if (!isRefusal(error)) log.error({ err: cause ?? error, ...request }, message)
  // room.ts logs once that disk space is low; a line per refusal would add nothing.
  else if (code !== 'storage_full') log.info({ ...request, error: code }, message)
}

/** The outermost middleware under /api: answers errors. */
export function answerErrors({ log, metrics }: Pick<Deps, 'log' | 'metrics'>) {
  const failures = new Counter({
    name: 'filestore_failures_total',
    help: 'Answers of 500 and above, by what failed',
    labelNames: ['source', 'error'],
    registers: [metrics],
  })
  // Create all counters at the start, so that a query distinguishes 0 from unknown.
  for (const [code, status] of Object.entries(errorStatus)) {
    if (status >= 500) for (const source of sources) failures.inc({ source, error: code }, 0)
  }
  return async (ctx: Context, next: Next): Promise<void> => {
    const { requestId } = ctx.state
    try {
      await next()
    } catch (thrown) {
      // A request that was cut off has its answer (cut-off.ts), and fails for that.
      const isCut = ctx.res.writableEnded
      if (isCut && (thrown === ctx.req.errored || systemCode(thrown) === 'ERR_HTTP_HEADERS_SENT')) return
      const error = toAppError(thrown)
      if (error.status >= 500) {
        failures.inc({ source: sourceOf(error), error: error.code })
        logFailure(log, error, { requestId, route: patternOf(ctx) })
      }
      if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter))
      ctx.set('Cache-Control', 'no-store')
      if (!ctx.req.complete) closeAfterAnswer(ctx)
      ctx.status = error.status
      ctx.body = errorBody(error, requestId)
    }
  }
}
