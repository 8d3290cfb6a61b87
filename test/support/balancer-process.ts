/** Runs the program of a balancer that is configured already. */
import { connect } from 'node:net'
import { execa } from 'execa'
import type { TestContext } from 'vitest'
import type { Balancer } from './nginx-process.ts'
import { skipBecause } from './skip.ts'

interface Program {
  name: string
  /** The arguments with which it tells its version. */
  version: string[]
  args: string[]
  /** Where it listens on 127.0.0.1. */
  port: number
  env?: Record<string, string>
}

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

/** Resolves when it listens. Skips the test when the program is not installed; without a test it throws. */
export async function startProxy(
  context: TestContext | null,
  { name, version, args, port, env = {} }: Program,
): Promise<Balancer> {
  if ((await execa(name, version, { reject: false })).failed) {
    if (context === null) throw new Error(`${name} is not installed: .ci/tools`)
    skipBecause(`${name} is not installed: .ci/tools`, context)
  }
  const child = execa(name, args, { reject: false, env })
  let ended = false
  child.finally(() => {
    ended = true
  })
  while (!(await answers(port))) {
    if (ended) throw new Error(`${name} did not start: ${(await child).stderr}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM')
      await child
    },
  }
}
