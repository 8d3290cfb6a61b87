/** Runs the built binary as a person or a service would. */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { execa, type ResultPromise } from 'execa'

export const binary = join(import.meta.dirname, '../../bin/filestore.cjs')

export interface RunOptions {
  env?: Record<string, string>
  input?: string
  cwd?: string
  /** Whose rights it has; another's than the test's, only root may give. */
  uid?: number
  /** The Node that runs it; that of the tests where none is named. */
  node?: string | undefined
}

/** Starts a command, to be waited for or killed; a failure does not throw. */
export const startBinary = (
  args: string[],
  { env = {}, input = '', cwd, uid, node = process.execPath }: RunOptions = {},
) => execa(node, [binary, ...args], { env, input, cwd, uid, reject: false })

/** Runs a command to its end; a failure does not throw. */
export const runBinary = async (args: string[], options: RunOptions = {}) => startBinary(args, options)

export interface ServeProcess {
  url: string
  /** All that it printed until it was ready. */
  output: string
  child: ResultPromise
  /** Tells it to stop and waits; gives back its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | undefined>
}

/** Starts `filestore serve` on a free port, by the tests' own Node or another, and waits until it says where it is. */
export async function serveBinary(
  args: string[],
  given: Record<string, string> = {},
  node: string = process.execPath,
): Promise<ServeProcess> {
  // Tests run on small disks too.
  const env = { FILESTORE_MIN_FREE_SPACE: '0', ...given }
  const command = [binary, 'serve', '--port', '0', ...args]
  // How long the server takes to stop is its own affair: execa would kill it after five seconds.
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
