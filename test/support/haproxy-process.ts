/** Runs a real HAProxy in front of a test's servers, with the configuration of deploy/haproxy-nodes.cfg. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import { startProxy } from './balancer-process.ts'
import type { Balancer } from './nginx-process.ts'

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

/** Skips the test when no HAProxy is installed; without a test it throws. */
export const startHaproxy = (context: TestContext | null, addresses: readonly string[]): Promise<Balancer> =>
  startProxy(context, 'haproxy', ['-v'], async (folder, port) => {
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, await configFor(addresses, port))
    return ['-db', '-f', file]
  })
