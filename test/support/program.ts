/** Runs a command of the program in the test's own process: the same sources, without a start of Node for each. */
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runProgram as runInProcess } from '../../bin/program.ts'
import type { ProcessContext } from '../../src/base/process-context.ts'

interface ProgramOptions {
  /** The whole environment. */
  env?: NodeJS.ProcessEnv
  /** Comes in on standard input. */
  input?: string
  /** Where relative paths begin. */
  cwd?: string
  /** Another kind of machine to take this one for. */
  platform?: NodeJS.Platform
}

export interface ProgramResult {
  exitCode: number
  stdout: string
  stderr: string
}

/** What only the start of a process takes from the environment. */
const startVariables = ['NODE_OPTIONS', 'LD_PRELOAD', 'TZ']

function refuseUnfit([command]: readonly string[], env: NodeJS.ProcessEnv): void {
  if (command === 'serve') throw new Error('A server takes signals and the memory of its process: start one')
  const unheeded = startVariables.filter(name => env[name] !== undefined && env[name] !== process.env[name])
  if (unheeded.length > 0) throw new Error(`${unheeded.join(' and ')} would have no effect: start a process`)
}

/** What a pipe is to the program, which asks it for nothing that a terminal alone has. */
const openPipe = () => new PassThrough() as PassThrough & NodeJS.ReadStream & NodeJS.WriteStream & { fd: 0 & 1 & 2 }

const withoutLastLineEnd = (printed: string): string => printed.replace(/\n$/, '')

/**
 * Runs a command to its end; a failure does not throw. What is printed comes without its last line end. Throws for what
 * needs a process of its own: `serve`, and variables that only a start takes.
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
