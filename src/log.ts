/** The log: one JSON object a line, on stderr, without secrets. */
import { type Logger, pino } from 'pino'
import type { LogLevel } from './config.ts'

export type Log = Logger

/** Authorization, cookies and passwords never reach a line, wherever an object carries them. */
const secrets = ['password', 'new_password', 'current_password', 'secret', 'authorization', 'cookie']

export function openLog(level: LogLevel): Log {
  return pino({ level, redact: [...secrets, ...secrets.map(name => `*.${name}`)], base: null }, pino.destination(2))
}
