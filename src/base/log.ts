/** The log: one JSON object a line, on stderr, without secrets. */
import { type DestinationStream, type Logger, pino } from 'pino'
import { systemCode } from './errors.ts'
import type { LogLevel } from './log-level.ts'
import { openLogOutput } from './log-output.ts'
import { processContext } from './process-context.ts'

export type Log = Logger

/** Credentials and passwords never reach a line, wherever an object carries them. */
const secrets = ['password', 'new_password', 'current_password', 'temp_password', 'secret', 'authorization', 'cookie']
const secretHeaders = ['x-api-secret', 'set-cookie'].map(name => `["${name}"]`)
const redact = [
  ...secrets.flatMap(name => [name, `*.${name}`, `*.*.${name}`]),
  ...secretHeaders.flatMap(name => [name, `*${name}`, `*.*${name}`]),
]

/** What is told of an error. A database's error carries the values of its statement, hashes of passwords among them. */
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
 * The stderr of the run. To the process's own the log writes by itself, so that a line that cannot be written ends nothing;
 * each that is lost is told to `onLost`.
 */
export function openStderr(onLost?: () => void): DestinationStream {
  const { stderr } = processContext()
  return stderr === process.stderr ? openLogOutput(onLost) : stderr
}

/** Opens the log; `to` takes its lines, by default stderr. */
export const openLog = (level: LogLevel, to: DestinationStream = openStderr()): Log =>
  pino({ level, redact, serializers: { err: describeError }, base: null }, to)
