/** Runs a real HAProxy in front of a test's servers, with the configuration of deploy/haproxy-nodes.cfg. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import type { TestContext } from 'vitest'
import { findFreePort } from './free-port.ts'
import type { Balancer } from './nginx-process.ts'
import { skipBecause } from './skip.ts'

const deployed = join(import.meta.dirname, '../../deploy/haproxy-nodes.cfg')

/** The configuration without HTTPS, for servers at these addresses (`127.0.0.1:8080`). */
async function configFor(addresses: readonly string[], port: number): Promise<string> {
  const config = await readFile(deployed, 'utf8')
  const servers = [...config.matchAll(/^ {2}server \w+ 10\.0\.0\.\d+:8080(.*)$/gm)]
  const [, options = ''] = servers[0] ?? []
  const [list] = /(^ {2}server .*\n)+/m.exec(config) ?? []
  if (list === undefined) throw new Error('deploy/haproxy-nodes.cfg leads nowhere')
  return config
    .replace(list, addresses.map((address, at) => `  server n${at} ${address}${options}\n`).join(''))
    .replace(/^ {2}bind :80$/m, `  bind 127.0.0.1:${port}`)
    .replace(/^ {2}(bind :443|http-request redirect scheme) .*\n/gm, '')
    .replace('X-Forwarded-Proto https', 'X-Forwarded-Proto http')
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

/** Skips the test when no HAProxy is installed. */
export async function startHaproxy(context: TestContext, addresses: readonly string[]): Promise<Balancer> {
  if ((await execa('haproxy', ['-v'], { reject: false })).failed) {
    skipBecause('haproxy is not installed: .ci/tools', context)
  }
  const folder = await mkdtemp(join(tmpdir(), 'filestore-haproxy-'))
  const port = await findFreePort()
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, await configFor(addresses, port))
  const child = execa('haproxy', ['-db', '-f', file], { reject: false })
  let ended = false
  child.finally(() => {
    ended = true
  })
  while (!(await answers(port))) {
    if (ended) throw new Error(`haproxy did not start: ${(await child).stderr}`)
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
