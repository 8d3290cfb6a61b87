/** Runs a real Caddy in front of a test's servers, with the configuration of deploy/Caddyfile-nodes. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import { startProxy } from './balancer-process.ts'
import { findFreePort } from './free-port.ts'
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
export async function startCaddy(context: TestContext | null, addresses: readonly string[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-caddy-'))
  const port = await findFreePort()
  const file = join(folder, 'Caddyfile')
  await writeFile(file, await configFor(addresses, port))
  const balancer = await startProxy(context, {
    ...{ name: 'caddy', version: ['version'], args: ['run', '--adapter', 'caddyfile', '--config', file] },
    ...{ port, env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } },
  })
  return { ...balancer, stop: () => balancer.stop().then(() => rm(folder, { recursive: true, force: true })) }
}
