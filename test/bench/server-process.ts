/** A server as a child process, for the product and for the bare servers: it has its own CPU core and memory. */
import { createInterface } from 'node:readline'
import { execa } from 'execa'

export interface ServerProcess {
  url: string
  pid: number
  /** Asks the process to stop, and waits until it has ended. */
  stop(): Promise<void>
}

/** Runs `node <args>`, and waits for the line with the address. */
export async function startServerProcess(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = execa(process.execPath, args, { env, reject: false })
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      const [, address] = /\bready at (http:\S+)/.exec(line) ?? []
      if (address !== undefined) resolve(address)
    })
    child.then(
      ({ stderr }) => reject(new Error(`'node ${args.join(' ')}' ended before it was ready: ${stderr}`)),
      reject,
    )
  })
  if (child.pid === undefined) throw new Error('a process without a number')
  return {
    url,
    pid: child.pid,
    stop: async () => {
      child.kill('SIGTERM')
      await child
    },
  }
}
