/**
 * Two servers with two workers each, on MariaDB and one folder of bytes behind nginx or HAProxy: eight clients write while one
 * server after the other is killed and started again. Nothing acknowledged is lost, and three retries are enough. With the
 * bytes in Ceph (`.ci/s3`), its S3 gateway is killed in its turn, too.
 */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { execa } from 'execa'
import { expect, type TestContext, test } from 'vitest'
import { ApiError } from '../../src/api/client.ts'
import { runFsck } from '../commands/fsck-run.ts'
import { expectWhole, sweepLater } from '../kills/check.ts'
import { randomFrom } from '../kills/lanes.ts'
import { startCaddy } from '../support/caddy-process.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { findFreePort } from '../support/free-port.ts'
import { startHaproxy } from '../support/haproxy-process.ts'
import { type Balancer, startBalancer } from '../support/nginx-process.ts'
import { type Cluster, openCluster } from '../support/nodes.ts'
import { onlyOn } from '../support/only-on.ts'
import { seed } from '../support/rounds.ts'

const clients = 8
const kills = 8
const sizes = { small: 40_000, large: 3_000_000 }
/** ms before each retry. */
const pauses = [250, 500, 1000]
const random = randomFrom(seed)

type StartBalancer = (context: TestContext, addresses: readonly string[]) => Promise<Balancer>

/** An acknowledgement, in ms: when it came, after how long, and when the first attempt failed, if one did. */
interface Answer {
  at: number
  took: number
  failedAfter: number | null
}

interface Load {
  isOver: boolean
  /** The names of acknowledged files, and the SHA-256 of their content. */
  acknowledged: Map<string, string>
  /** Attempts that failed, by the number of attempts before. */
  retries: number[]
  failures: string[]
  answers: Answer[]
}

/** Sends one file until it is acknowledged; a lost answer may have been a success, so a retry replaces the file. */
async function uploadOne(load: Load, client: BuiltUser, name: string, bytes: Buffer): Promise<boolean> {
  const began = performance.now()
  let failedAfter: number | null = null
  for (let attempt = 0; ; attempt++) {
    try {
      await client.upload(bytes, { name, on_conflict: 'replace' })
      const at = performance.now()
      load.answers.push({ at, took: at - began, failedAfter })
      return true
    } catch (error) {
      failedAfter ??= performance.now() - began
      load.retries[attempt] = (load.retries[attempt] ?? 0) + 1
      const pause = pauses[attempt]
      if (pause === undefined) {
        load.failures.push(`${name}: ${error}`)
        return false
      }
      // Where the store is away, the server says how long it may take.
      const told = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0
      await setTimeout(Math.max(pause, told))
    }
  }
}

async function runClient(load: Load, client: BuiltUser): Promise<void> {
  for (let file = 0; !load.isOver; file++) {
    const bytes = randomBytes(random() < 0.15 ? sizes.large : sizes.small)
    const name = `${client.id}-${file}.bin`
    if (!(await uploadOne(load, client, name, bytes))) continue
    load.acknowledged.set(name, createHash('sha256').update(bytes).digest('hex'))
  }
}

/** The longest times in ms. */
const longestOf = (answers: readonly Answer[]) => ({
  /** Without an answer to any client. */
  gap: Math.max(...answers.map(({ at }, before) => at - (answers[before - 1]?.at ?? at))),
  /** From a first failure to the acknowledgement. */
  retried: Math.max(0, ...answers.map(({ took, failedAfter }) => (failedAfter === null ? 0 : took - failedAfter))),
  /** Of an upload of which nothing failed: what the machine takes, kills or not. */
  unhurt: Math.max(...answers.map(({ took, failedAfter }) => (failedAfter === null ? took : 0))),
})

/** The folder of the cluster that has the bytes. */
const ceph = process.env.FILESTORE_TEST_CEPH

async function killGateway(): Promise<void> {
  const { stdout: pid } = await execa('bash', ['.ci/ceph', 'pid', String(ceph), 'rgw'])
  process.kill(Number(pid), 'SIGKILL')
  await setTimeout(2000)
  // The daemon must not keep the pipes of its starter open.
  await execa('bash', ['.ci/ceph', 'start', String(ceph)], { stdio: 'ignore' })
}

async function openNodes(
  context: TestContext,
  startBehind: StartBalancer,
): Promise<{ cluster: Cluster; url: string; killOne(): Promise<void> }> {
  const cluster = await openCluster()
  context.onTestFinished(() => cluster.close())
  const ports = [await findFreePort(), await findFreePort()]
  const addresses = ports.map(port => `127.0.0.1:${port}`)
  const balancer = await startBehind(context, addresses)
  context.onTestFinished(() => balancer.stop())
  const flags = ['--workers', '2', '--log-level', 'warn', '--trust-proxy', '127.0.0.1', '--public-url', balancer.url]
  const start = (port = 0) => cluster.start([...flags, '--port', String(port)])
  const nodes = await Promise.all(ports.map(start))
  // Caddy began before the servers did: until its first checks of them have passed, it answers 503.
  await expect.poll(async () => (await fetch(`${balancer.url}/readyz`)).status, { timeout: 10_000 }).toBe(200)
  let next = 0
  const killOne = async () => {
    const at = next++ % (nodes.length + (ceph === undefined ? 0 : 1))
    if (at === nodes.length) return killGateway()
    await nodes[at]?.stop('SIGKILL')
    await setTimeout(500 + random() * 2500)
    nodes[at] = await start(ports[at])
  }
  return { cluster, url: balancer.url, killOne }
}

/** The SHA-256 of each file's content by its name, from the answers to downloads. */
async function readBack(client: BuiltUser, rows: readonly { id: number; name: string }[]) {
  const found = new Map<string, string>()
  for (const { id, name } of rows) {
    const response = await client.raw(`/api/files/${id}/download`)
    const bytes = Buffer.from(await response.arrayBuffer())
    found.set(name, createHash('sha256').update(bytes).digest('hex'))
  }
  return found
}

test.for<[string, StartBalancer]>([
  ['nginx', startBalancer],
  ['HAProxy', startHaproxy],
  ['Caddy', startCaddy],
])(
  `behind %s ${kills} kills of one of two servers${ceph === undefined ? '' : " or the store's gateway"} under load lose nothing that was acknowledged`,
  async ([balancer, startBehind], context) => {
    onlyOn('mariadb', context)
    const { cluster, url, killOne } = await openNodes(context, startBehind)
    const users: BuiltUser[] = []
    for (let user = 0; user < clients; user++) users.push(await buildUser({ ...cluster, url }))
    const load: Load = {
      isOver: false,
      acknowledged: new Map(),
      retries: [],
      failures: [],
      answers: [],
    }
    const started = performance.now()
    const running = users.map(user => runClient(load, user))
    for (let kill = 0; kill < kills; kill++) {
      // A balancer takes seconds to notice that a server is back.
      await setTimeout(5000 + random() * 3000)
      await killOne()
    }
    load.isOver = true
    await Promise.all(running)
    const { acknowledged, retries, failures, answers } = load
    const figures = {
      seconds: (performance.now() - started) / 1000,
      acknowledged: acknowledged.size,
      retries,
      longest: longestOf(answers),
    }
    process.stdout.write(`nodes behind ${balancer}: ${JSON.stringify(figures)}\n`)

    expect(failures).toEqual([])
    const { config, db } = cluster.deps
    const found = new Map<string, string>()
    for (const user of users) {
      const rows = await db.rows<{ id: number; name: string }>(
        'SELECT id, name FROM files WHERE owner_id = $1 AND is_directory = 0',
        [user.id],
      )
      for (const [name, sha256] of await readBack(user, rows)) found.set(name, sha256)
    }
    expect([...acknowledged].filter(([name, sha256]) => found.get(name) !== sha256)).toEqual([])
    expect((await runFsck(cluster)).findings).toEqual([])
    await sweepLater(config, db)
    await expectWhole(config, db)
  },
)
