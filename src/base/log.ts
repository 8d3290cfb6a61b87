/** The log: one JSON object per line, on stderr, without secrets. */
import { type DestinationStream, type Logger, pino } from 'pino'
import { systemCode } from './errors.ts'
import type { LogLevel } from './log-level.ts'
import { openLogOutput } from './log-output.ts'
import { processContext } from './process-context.ts'

export type Log = Logger

/** Credentials and passwords are never logged, wherever an object holds them. */
const secrets = ['password', 'new_password', 'current_password', 'temp_password', 'secret', 'authorization', 'cookie']
const secretHeaders = ['x-api-secret', 'set-cookie'].map(name => `["${name}"]`)
const redact = [
  ...secrets.flatMap(name => [name, `*.${name}`, `*.*.${name}`]),
  ...secretHeaders.flatMap(name => [name, `*${name}`, `*.*${name}`]),
]

/** Picks what is logged of an error. A database error also holds its statement's values, such as password hashes. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause ?? ('parent' in error ? error.parent : undefined)
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    code: systemCode(error),
    cause: cause === undefined ? undefined : describeError(cause),
  }
}

/**
 * Returns the run's stderr. The process's own is wrapped, so that a line that cannot be written does not end the
 * process; `onLost` is called for each lost line.
 */
export function openStderr(onLost?: () => void): DestinationStream {
  const { stderr } = processContext()
  return stderr === process.stderr ? openLogOutput(onLost) : stderr
}

/** Opens the log; it writes its lines to `to`, by default stderr. */
export const openLog = (level: LogLevel, to: DestinationStream = openStderr()): Log =>
  pino({ level, redact, serializers: { err: describeError }, base: null }, to)
