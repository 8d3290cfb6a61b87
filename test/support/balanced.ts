/** Runs two servers of the built binary on one database and one store of bytes, behind the nginx of deploy/. */
import type { Flags } from '../../src/config-options.ts'
import { flagsOf } from './flags.ts'
import { findFreePort } from './free-port.ts'
import { startBalancer } from './nginx-process.ts'
import { openCluster } from './nodes.ts'
import type { TestServer } from './test-server.ts'

/** `flags` are flags of `filestore serve`. `deps` belong to the test, as those of `startWorkers`. */
export async function startBalanced(given: Flags, count: number): Promise<TestServer> {
  // The cluster gives its nodes their place.
  const { dataDir: _folder, database: _rows, storage: _bytes, ...flags } = given
  const ports = await Promise.all(Array.from({ length: count }, findFreePort))
  const balancer = await startBalancer(
    null,
    ports.map(port => `127.0.0.1:${port}`),
    given.trustProxy === '127.0.0.1',
  )
  const behind = { trustProxy: '127.0.0.1', publicUrl: balancer.url, cacheSize: '0', ...flags }
  const cluster = await openCluster(given)
  for (const port of ports) await cluster.start(flagsOf({ ...behind, port: String(port) }))
  return {
    ...cluster,
    url: balancer.url,
    close: async () => {
      await balancer.stop()
      await cluster.close()
    },
  }
}
