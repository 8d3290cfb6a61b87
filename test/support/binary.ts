/** Runs the built binary as a user or a service would. */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa, type ResultPromise } from 'execa'

export const binary = join(import.meta.dirname, '../../bin/filestore.cjs')

export interface RunOptions {
  env?: Record<string, string>
  input?: string
  cwd?: string
  /** The user id of the process; only root may set another than the test's own. */
  uid?: number
  /** The Node that runs the binary; by default the Node of the tests. */
  node?: string | undefined
}

/** Starts a command that the test can wait for or kill; a failure does not throw. */
export const startBinary = (
  args: string[],
  { env = {}, input = '', cwd, uid, node = process.execPath }: RunOptions = {},
) => execa(node, [binary, ...args], { env, input, cwd, uid, reject: false })

/** Runs a command to its end; a failure does not throw. */
export const runBinary = async (args: string[], options: RunOptions = {}) => startBinary(args, options)

export interface ServeProcess {
  url: string
  /** Everything that it printed until it was ready. */
  output: string
  child: ResultPromise
  /** Sends the signal and waits for the end; returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | undefined>
}

/**
 * Starts `filestore serve` on a free port, with the tests' Node or another, and waits until it prints its address.
 * `program` is the binary of another copy of the package.
 */
export async function serveBinary(
  args: string[],
  given: NodeJS.ProcessEnv = {},
  node: string = process.execPath,
  program: string = binary,
): Promise<ServeProcess> {
  // No minimum of free space, because some tests run on small disks.
  const env = { FILESTORE_MIN_FREE_SPACE: '0', ...given }
  const command = [program, 'serve', '--port', '0', ...args]
  // Never kill the server after a stop signal: without this option, execa would kill it after five seconds.
  const child = execa(node, command, { env, reject: false, forceKillAfterDelay: false })
  const seen: string[] = []
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      seen.push(line)
      const [found] = /http:\/\/\S+/.exec(line) ?? []
      if (found !== undefined && line.includes('is ready')) resolve(found)
    })
    child.then(result => reject(new Error(`serve ended early: ${result.stderr}`)), reject)
  })
  return {
    url,
    get output() {
      return seen.join('\n')
    },
    child,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return (await child).exitCode
    },
  }
}
