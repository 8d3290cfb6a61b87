/** Adds to a server's refusal a hint on what the person can do about it. */
import { ApiError } from '../src/api/client.ts'
import { formatTime } from '../terminal/format.ts'

/** Says when to try again, after a busy server's Retry-After. */
function comeAgain(retryAfter: number | undefined): string {
  if (retryAfter === undefined || retryAfter < 60) return 'Try again later'
  return `Try again after ${formatTime(new Date(Date.now() + retryAfter * 1000).toISOString())}`
}

function hintFor(error: ApiError, url: string): string | undefined {
  if (error.code === 'password_change_required') return `Sign in at ${url} with a browser and choose a new password`
  if ([408, 429, 502, 503, 504].includes(error.status)) return comeAgain(error.retryAfter)
  if (error.code === undefined && error.status < 500) return `Is ${url} the address of a filestore server?`
  // A link's password is nothing to sign in with.
  if (error.status === 401 && error.code !== 'password_required') return "Sign in with 'filestore login'"
  if (error.status >= 500 && error.requestId !== undefined) return `The server's log has it as ${error.requestId}`
  return undefined
}

/** Returns the error with the refused fields and a hint in its message. Its exit code stays the same. */
export function explainError(error: unknown, url: string): unknown {
  if (!(error instanceof ApiError)) return error
  const fields = Object.entries(error.fields).filter(([, message]) => message !== error.message)
  const parts = [error.message, ...fields.map(([field, message]) => `${field}: ${message}`), hintFor(error, url)]
  const message = parts.filter(part => part !== undefined).join('. ')
  const { code, requestId, retryAfter } = error
  return new ApiError(error.status, message, { code, fields: error.fields, requestId, retryAfter })
}
