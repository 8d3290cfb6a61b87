/** Runs a command of the program in the test's own process, from the sources, which saves the start of Node. */
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runProgram as runInProcess } from '../../bin/program.ts'
import type { ProcessContext } from '../../src/base/process-context.ts'

interface ProgramOptions {
  /** The whole environment. */
  env?: NodeJS.ProcessEnv
  /** Sent on standard input. */
  input?: string
  /** The folder for relative paths. */
  cwd?: string
  /** The platform that the program sees. */
  platform?: NodeJS.Platform
}

export interface ProgramResult {
  exitCode: number
  stdout: string
  stderr: string
}

/** Environment variables that have an effect only at the start of a process. */
const startVariables = ['NODE_OPTIONS', 'LD_PRELOAD', 'TZ']

function refuseUnfit([command]: readonly string[], env: NodeJS.ProcessEnv): void {
  if (command === 'serve') throw new Error('A server takes signals and the memory of its process: start one')
  const unheeded = startVariables.filter(name => env[name] !== undefined && env[name] !== process.env[name])
  if (unheeded.length > 0) throw new Error(`${unheeded.join(' and ')} would have no effect: start a process`)
}

/** A pipe for the program, which uses no feature of a terminal on it. */
const openPipe = () => new PassThrough() as PassThrough & NodeJS.ReadStream & NodeJS.WriteStream & { fd: 0 & 1 & 2 }

const withoutLastLineEnd = (printed: string): string => printed.replace(/\n$/, '')

/**
 * Runs a command to its end; a failure does not throw. The last line break of the output is removed. Throws for
 * commands that need a process of their own: `serve`, and those with variables that take effect only at a start.
 */
export async function runProgram(
  args: readonly string[],
  { env = process.env, input = '', cwd, platform = process.platform }: ProgramOptions = {},
): Promise<ProgramResult> {
  refuseUnfit(args, env)
  const [stdin, stdout, stderr] = [openPipe(), openPipe(), openPipe()]
  const context: ProcessContext = { stdin, stdout, stderr, env, platform, exitCode: undefined, workingFolder: cwd }
  const printed = Promise.all([text(stdout), text(stderr)])
  stdin.end(input)
  await runInProcess(args, context)
  stdout.end()
  stderr.end()
  const [data, messages] = await printed
  return {
    exitCode: Number(context.exitCode ?? 0),
    stdout: withoutLastLineEnd(data),
    stderr: withoutLastLineEnd(messages),
  }
}
