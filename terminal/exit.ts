/** The table of exit codes, and which failure ends with which code. */
import { CommanderError } from 'commander'

const exitCodes = {
  unexpected: 1,
  usage: 2,
  denied: 3,
  notFound: 4,
  conflict: 5,
  tooLarge: 6,
  unreachable: 7,
  /** Only `fsck` uses this code and the next. */
  repairable: 10,
  lost: 11,
  interrupted: 130,
} as const

/** The table as help shows it. */
export const exitHelp = `Exit codes:
  0    done
  1    something unexpected
  2    wrong usage or bad input
  3    not signed in, or not allowed
  4    not found
  5    conflict: a name that is taken, or something else that stands in the way
  6    too large: size limit, quota or space
  7    the server or its database cannot be reached, or stayed busy
  130  interrupted`

/** The exit codes that only the help of `fsck` shows. */
export const fsckExitHelp = `Of fsck alone:
  10   something is wrong that --repair can mend
  11   something is lost: a backup, or another upload of it, brings it back`

export type Exit = keyof typeof exitCodes

/** A failure that the command itself notices. Its message says what happened and what to do. */
export class CommandError extends Error {
  constructor(
    readonly exit: Exit,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'CommandError'
  }
}

/** HTTP status of a failed response → its exit. Every other status is unexpected. */
const exitOfStatus: Readonly<Record<number, Exit>> = {
  400: 'usage',
  401: 'denied',
  403: 'denied',
  404: 'notFound',
  405: 'usage',
  409: 'conflict',
  413: 'tooLarge',
  415: 'usage',
  429: 'unreachable',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
  507: 'tooLarge',
}

/** Returns the exit for any failure: its own, if it names one, otherwise the one for its HTTP status. */
export function exitOf(error: unknown): Exit {
  if (error instanceof CommandError) return error.exit
  if (error instanceof CommanderError) return 'usage'
  const status = error instanceof Error && 'status' in error ? Number(error.status) : Number.NaN
  return exitOfStatus[status] ?? 'unexpected'
}

/** Returns the process's exit code for what a command threw. Commander also throws after printing help, which is 0. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  return exitCodes[exitOf(error)]
}
