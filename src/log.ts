/** The log: one JSON object a line, on stderr, without secrets. */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './config.ts'
import { systemCode } from './errors.ts'

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

/** Opens the log; tests read it elsewhere than on stderr. */
export const openLog = (level: LogLevel, to: DestinationStream = pino.destination(2)): Log =>
  pino({ level, redact, serializers: { err: describeError }, base: null }, to)
