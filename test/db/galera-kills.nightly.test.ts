/**
 * Two servers with a list of the nodes of a Galera cluster: both write to one, which is killed under load; then the
 * majority is lost.
 */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { createGalera } from '../support/galera.ts'
import type { MariadbProcess } from '../support/mariadb-process.ts'
import { openCluster } from '../support/nodes.ts'
import { onlyOn } from '../support/only-on.ts'

/** ms */
const longestGap = 10_000

interface Load {
  isOver: boolean
  /** The SHA-256 of the acknowledged files' contents by their ids. */
  acknowledged: Map<number, string>
  /** When answers came that acknowledge a file. */
  times: number[]
  statuses: Set<unknown>
}

/** Uploads one file after the other; what fails is sent again under another name. */
async function runClient(load: Load, client: BuiltUser): Promise<void> {
  for (let file = 0; !load.isOver; file++) {
    const bytes = randomBytes(40_000)
    try {
      const { id } = await client.upload(bytes, { name: `${file}.bin` })
      load.acknowledged.set(id, createHash('sha256').update(bytes).digest('hex'))
      load.times.push(performance.now())
    } catch (error) {
      load.statuses.add((error as { code?: string }).code ?? error)
      await setTimeout(100)
    }
  }
}

/** How many sessions of filestore a node has. */
async function countSessions({ run }: MariadbProcess): Promise<number> {
  const [row] = await run("SELECT COUNT(*) AS sessions FROM information_schema.processlist WHERE db = 'filestore'")
  return Number(row?.sessions)
}

test('servers leave a node that is killed for the next one, lose nothing, and wait while no majority is left', async context => {
  onlyOn('mariadb', context)
  const galera = await createGalera(context)
  context.onTestFinished(galera.remove)
  const [first, second, third] = galera.nodes
  const cluster = await openCluster({ database: galera.flag })
  context.onTestFinished(cluster.close)
  const servers = [await cluster.start(), await cluster.start()]
  const users = await Promise.all([0, 1, 0, 1].map(at => buildUser({ ...cluster, url: servers[at]?.url ?? '' })))
  expect([await countSessions(second), await countSessions(third)]).toEqual([0, 0])

  const load: Load = { isOver: false, acknowledged: new Map(), times: [], statuses: new Set() }
  const running = users.map(user => runClient(load, user))
  await expect.poll(() => load.acknowledged.size).toBeGreaterThan(50)
  await first.stop('SIGKILL')
  const killedAt = performance.now()
  const after = () => load.times.filter(time => time > killedAt)
  await expect.poll(() => after().length).toBeGreaterThan(50)
  load.isOver = true
  await Promise.all(running)

  const gaps = load.times.map((time, at) => time - (load.times[at - 1] ?? time))
  process.stdout.write(`galera: longest gap ${Math.round(Math.max(...gaps))} ms, ${load.acknowledged.size} files\n`)
  expect(Math.max(...gaps)).toBeLessThan(longestGap)
  expect([...load.statuses].filter(code => code !== 'unavailable')).toEqual([])
  const [reader] = users as [BuiltUser]
  expect([await countSessions(second), await countSessions(third)]).toEqual([expect.any(Number), 0])
  const { db } = cluster.deps
  const rows = await db.rows<{ id: number; sha256: string }>(
    'SELECT f.id, b.sha256 FROM files f JOIN blobs b ON b.id = f.blob_id',
  )
  const found = new Map(rows.map(({ id, sha256 }) => [id, sha256]))
  expect([...load.acknowledged].filter(([id, sha256]) => found.get(id) !== sha256)).toEqual([])
  expect(await findMiscounts(db)).toEqual([])

  await third.stop('SIGKILL')
  const answer = async () => {
    const { status, headers } = await reader.raw('/api/files')
    return { status, retryAfter: headers.get('retry-after') }
  }
  await expect.poll(answer).toEqual({ status: 503, retryAfter: '5' })
  // The one that is left is made the majority, as its manual says, and the servers go on.
  await second.run("SET GLOBAL wsrep_provider_options = 'pc.bootstrap=1'")
  await expect.poll(async () => (await answer()).status).toBe(200)
})
