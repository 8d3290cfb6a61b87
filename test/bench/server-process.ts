/** A server as a child process, for the product and for the bare servers: it has its own CPU core and memory. */
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { execa } from 'execa'

export interface ServerProcess {
  url: string
  pid: number
  /** Asks the process to stop, and waits until it has ended. */
  stop(): Promise<void>
}

/** Opens a file for the output of processes. They write to it themselves, which takes no time of this process. */
export async function openOutput(path: string): Promise<WriteStream> {
  const output = createWriteStream(path, { flags: 'a' })
  await once(output, 'open')
  return output
}

/** Runs `node <args>`, and waits for the line with the address. Its errors are shown, unless a file takes them. */
export async function startServerProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  stderr: 'inherit' | WriteStream = 'inherit',
): Promise<ServerProcess> {
  const child = execa(process.execPath, args, { env, stderr, reject: false })
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      const [, address] = /\bready at (http:\S+)/.exec(line) ?? []
      if (address !== undefined) resolve(address)
    })
    child.then(() => reject(new Error(`'node ${args.join(' ')}' ended before it was ready`)), reject)
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
