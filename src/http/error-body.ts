/** The body of an error response. */
import type { ErrorBody } from '../api/errors.ts'
import type { AppError } from '../base/errors.ts'

export const errorBody = (error: AppError, requestId: string): ErrorBody => ({
  success: false,
  message: error.message,
  error: error.code,
  ...(error.fields === undefined ? {} : { fields: error.fields }),
  request_id: requestId,
})
