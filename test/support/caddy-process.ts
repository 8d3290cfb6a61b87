/** Runs a real Caddy in front of a test's servers, with the configuration of deploy/Caddyfile-nodes. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import { startProxy } from './balancer-process.ts'
import type { Balancer } from './nginx-process.ts'

const deployed = join(import.meta.dirname, '../../deploy/Caddyfile-nodes')

/** The configuration without HTTPS, for servers at these addresses (`127.0.0.1:8080`). */
async function configFor(addresses: readonly string[], port: number): Promise<string> {
  const config = await readFile(deployed, 'utf8')
  const site = config.replace('10.0.0.11:8080 10.0.0.12:8080', addresses.join(' '))
  if (site === config) throw new Error('deploy/Caddyfile-nodes leads nowhere')
  return `{\n\tadmin off\n\tauto_https off\n}\n${site.replace(/^files\.example\.org \{/m, `http://127.0.0.1:${port} {`)}`
}

/** Skips the test when no Caddy is installed; without a test it throws. */
export const startCaddy = (context: TestContext | null, addresses: readonly string[]): Promise<Balancer> =>
  startProxy(context, 'caddy', ['version'], async (folder, port) => {
    const file = join(folder, 'Caddyfile')
    await writeFile(file, await configFor(addresses, port))
    return ['run', '--adapter', 'caddyfile', '--config', file]
  })
