/** Runs a balancer in front of a test's servers. */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { TestContext } from 'vitest'
import { findFreePort } from './free-port.ts'
import type { Balancer } from './nginx-process.ts'
import { skipBecause } from './skip.ts'

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

/**
 * Runs a program that listens on a free port of 127.0.0.1, with the arguments that `configure` returns for a folder of its
 * own. Skips the test when the program is not installed; without a test it throws.
 */
export async function startProxy(
  context: TestContext | null,
  name: string,
  tellVersion: readonly string[],
  configure: (folder: string, port: number) => Promise<string[]>,
): Promise<Balancer> {
  if ((await execa(name, tellVersion, { reject: false })).failed) {
    if (context === null) throw new Error(`${name} is not installed: .ci/tools`)
    skipBecause(`${name} is not installed: .ci/tools`, context)
  }
  const folder = await mkdtemp(join(tmpdir(), `filestore-${name}-`))
  const port = await findFreePort()
  const args = await configure(folder, port)
  const child = execa(name, args, { reject: false, env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } })
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
      await rm(folder, { recursive: true, force: true })
    },
  }
}
