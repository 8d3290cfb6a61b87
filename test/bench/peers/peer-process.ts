/** Starts a peer as a process of its own. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { request } from 'undici'
import type { Target } from '../client.ts'
import { openOutput, type ServerProcess } from '../server-process.ts'

export interface Program {
  file: string
  args: readonly string[]
  env?: Record<string, string>
}

/** Users' PATH on Debian lacks the folder of servers. */
export const searchPath = { PATH: `${process.env.PATH ?? ''}:/usr/sbin` }

/** The longest time from a start to the first answer, in ms. */
const startLimit = 60_000

/** Whether the server gives a file to its user. A server that starts may refuse or cut connections. */
async function isReady({ url, headers }: Target, path: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url + path, { headers })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}

/** Starts a program in its folder, and waits until it answers `path` with 200. Its output goes to a file there. */
export async function startPeerProcess(
  { file, args, env = {} }: Program,
  home: string,
  target: Target,
  path: string,
): Promise<ServerProcess> {
  const logFile = join(home, 'output.log')
  const log = await openOutput(logFile)
  const child = execa(file, args, {
    cwd: home,
    env: { ...searchPath, ...env },
    stdin: 'ignore',
    stdout: log,
    stderr: log,
    reject: false,
  })
  log.destroy()
  const stop = async () => {
    child.kill('SIGTERM')
    await child
  }
  const limit = performance.now() + startLimit
  while (!(await isReady(target, path))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null || child.pid === undefined
    if (hasEnded || performance.now() > limit) {
      await stop()
      throw new Error(`${file} does not answer: ${(await readFile(logFile, 'utf8')).slice(-2000)}`)
    }
    await delay(1)
  }
  return { url: target.url, pid: child.pid ?? 0, stop }
}
