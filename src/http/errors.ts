/** Turns whatever was thrown into the contract's error answer; what nobody foresaw is logged and says nothing. */
import { randomUUID } from 'node:crypto'
import type { Context, Next } from 'koa'
import type { ErrorBody } from '../api/errors.ts'
import { classify } from '../db/failures.ts'
import { AppError, systemCode } from '../errors.ts'
import type { Log } from '../log.ts'
import { closeAfterAnswer } from './close-after-answer.ts'

/** The store's own failures, by the system's code. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT'])

/** The AppError for anything thrown. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (fullCodes.has(systemCode(error) ?? '')) {
    return new AppError('storage_full', 'The server has no space left', { cause: error })
  }
  const code = classify(error)
  if (code === 'storage_full') return new AppError(code, 'The server has no space left', { cause: error })
  if (code === 'unavailable') {
    return new AppError(code, 'The database does not answer, try again later', { cause: error, retryAfter: 5 })
  }
  return new AppError('internal', 'Something went wrong on the server', { cause: error })
}

const errorBody = (error: AppError, requestId: string): ErrorBody => ({
  success: false,
  message: error.message,
  error: error.code,
  ...(error.fields === undefined ? {} : { fields: error.fields }),
  request_id: requestId,
})

/** The outermost middleware under /api: gives the request its id, and failures their answer. */
export const answerErrors =
  (log: Log) =>
  async (ctx: Context, next: Next): Promise<void> => {
    const requestId = randomUUID()
    ctx.state.requestId = requestId
    try {
      await next()
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.status >= 500) log.error({ err: error.cause ?? error, requestId, path: ctx.path }, error.message)
      if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter))
      ctx.set('Cache-Control', 'no-store')
      if (!ctx.req.complete) closeAfterAnswer(ctx)
      ctx.status = error.status
      ctx.body = errorBody(error, requestId)
    }
  }
