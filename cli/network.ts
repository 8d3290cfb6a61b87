/** Recognises failures that mean the server is unreachable, and explains them. */
import { errors } from 'undici'
import { ApiError } from '../src/api/client.ts'
import { CommandError } from '../terminal/exit.ts'

/** The server gave no answer. */
export class UnreachableError extends CommandError {
  constructor(
    message: string,
    /** Whether a connection existed and broke, so that a retry may help. */
    readonly lost: boolean,
    cause: unknown,
  ) {
    super('unreachable', message, { cause })
    this.name = 'UnreachableError'
  }
}

const lostCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
])

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'no way to that host',
  ENETUNREACH: 'no way to that network',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
}

/**
 * Turns a failure of the network into an `UnreachableError`. Returns any other error unchanged: a server's refusal, a
 * failure that was already explained, a wrong call of undici.
 */
export function explainNetworkError(url: string, error: unknown): unknown {
  if (error instanceof CommandError || error instanceof ApiError || !(error instanceof Error)) return error
  if (error instanceof errors.InvalidArgumentError) return error
  if (error instanceof errors.RequestContentLengthMismatchError) return error
  const code = 'code' in error ? String(error.code) : ''
  if (lostCodes.has(code)) return new UnreachableError(`Lost the connection to ${url}`, true, error)
  const reason = reasons[code] ?? (error.message || code)
  return new UnreachableError(`Cannot reach ${url}: ${reason}. Check the address and the server`, false, error)
}
