/** Turns whatever was thrown into the contract's error answer; what nobody foresaw is logged and says nothing. */
import type { Context, Next } from 'koa'
import type { ErrorBody } from '../api/errors.ts'
import { toAppError } from '../db/failures.ts'
import type { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { closeAfterAnswer } from './close-after-answer.ts'

const errorBody = (error: AppError, requestId: string): ErrorBody => ({
  success: false,
  message: error.message,
  error: error.code,
  ...(error.fields === undefined ? {} : { fields: error.fields }),
  request_id: requestId,
})

/** The outermost middleware under /api: gives failures their answer. */
export const answerErrors =
  (log: Log) =>
  async (ctx: Context, next: Next): Promise<void> => {
    const { requestId } = ctx.state
    try {
      await next()
    } catch (thrown) {
      const error = toAppError(thrown)
      // Of the floor of free space the log tells by itself, once.
      const isTold = error.code === 'storage_full' && error.cause === undefined
      if (error.status >= 500 && !isTold)
        log.error({ err: error.cause ?? error, requestId, path: ctx.path }, error.message)
      if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter))
      ctx.set('Cache-Control', 'no-store')
      if (!ctx.req.complete) closeAfterAnswer(ctx)
      ctx.status = error.status
      ctx.body = errorBody(error, requestId)
    }
  }
