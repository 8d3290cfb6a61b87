/** Why a call failed, as a sentence that follows the name of what failed. */
import { ApiError } from '../../../src/api/client.ts'
import { readTimeout } from './first-calls.ts'

export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `The server did not answer within ${readTimeout / 1000} seconds.`
  }
  // fetch throws a TypeError when there was no answer.
  if (error instanceof TypeError) return 'The server cannot be reached.'
  return 'Something went wrong on this page.'
}
