/** `filestore serve --workers 2`: workers that die, and the stop of all processes. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type TestContext, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { readState } from '../../src/db/server-state.ts'
import { runBinary, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildKey, buildUser } from '../support/factories.ts'
import { createMariadb } from '../support/mariadb-process.ts'
import { onlyOn } from '../support/only-on.ts'
import { onlyNightly } from '../support/rounds.ts'
import { createConfig } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'
import { sendToAll, startWorkers, type WorkersServer } from '../support/workers.ts'
import { beginUpload, logged, secondSignal, stopTwice } from './stopping.ts'

// Each test starts three processes, some of them more than once.
async function openServer(context: TestContext): Promise<WorkersServer> {
  onlyOn('mariadb', context)
  const server = await startWorkers()
  context.onTestFinished(() => server.close())
  return server
}

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const readMetric = async (server: WorkersServer, sample: string): Promise<number> => {
  const { text } = await sendWire(server.url, { path: '/metrics' })
  return Number(
    text
      .split('\n')
      .find(line => line.startsWith(`${sample} `))
      ?.slice(sample.length),
  )
}

/** Resolves when this many workers other than these have answered. */
const replaced = (server: WorkersServer, before: readonly number[], count: number): Promise<void> =>
  expect
    .poll(async () => {
      const fresh = server.pids().filter(pid => !before.includes(pid))
      const answering = new Set(server.log().flatMap(({ pid, msg }) => (msg === 'request' ? [pid] : [])))
      await sendWire(server.url, { path: '/healthz' }).catch(() => undefined)
      return fresh.filter(pid => answering.has(pid)).length
    })
    .toBe(count)

/** Starts an upload at each worker. */
async function beginUploads(server: WorkersServer, client: TestClient) {
  const uploads = await Promise.all([1, 2, 3, 4].map(n => beginUpload(server, client, `slow-${n}.txt`)))
  await expect.poll(() => readMetric(server, 'filestore_http_requests_under_way')).toBe(5)
  return uploads
}

test('a killed worker is logged and replaced, and no counted request is lost', async context => {
  const server = await openServer(context)
  const before = server.pids()
  await sendToAll(server, { path: '/healthz' }, 20)
  const health = () => readMetric(server, 'filestore_http_requests_total{method="GET",route="/healthz",status="2xx"}')
  expect(await health()).toBe(20)
  process.kill(before[1] ?? 0, 'SIGKILL')
  await replaced(server, before, 1)
  expect(server.log().filter(({ level, worker }) => level === 50 && worker === before[1])).toHaveLength(1)
  expect(await health()).toBeGreaterThan(20)
  const answers = await sendToAll(server, { path: '/readyz' }, 100)
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
})

test('requests in progress at a worker that died no longer count against the device key', async context => {
  onlyNightly(context)
  const server = await openServer(context)
  const ann = await buildUser(server)
  const key = await buildKey(server, ann, ['files:read', 'files:upload'], 'device')
  const before = server.pids()
  const uploads = await Promise.all(
    Array.from({ length: 16 }, () => beginUpload(server, { ...ann, headers: key.headers })),
  )
  const broken = Promise.allSettled(uploads.map(({ answered }) => answered))
  const profile = { path: '/api/auth/profile', headers: key.headers }
  await expect.poll(() => readMetric(server, 'filestore_http_requests_under_way')).toBe(17)
  expect((await sendWire(server.url, profile)).status).toBe(429)
  process.kill(before[0] ?? 0, 'SIGKILL')
  await replaced(server, before, 1)
  expect((await sendToAll(server, profile)).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  for (const { finish } of uploads) finish()
  await broken
})

test('a job runs at another worker only after its own worker has died', async context => {
  onlyNightly(context)
  const server = await openServer(context)
  const sweeps = () => readState(server.deps.db, 'store_sweeps')
  await expect.poll(sweeps).toBe(1)
  const first = server.pids()
  process.kill(first[1] ?? 0, 'SIGKILL')
  await replaced(server, first, 1)
  expect(await sweeps()).toBe(1)
  const second = server.pids()
  process.kill(second[0] ?? 0, 'SIGKILL')
  await expect.poll(sweeps).toBe(2)
})

test('two new workers answer at the same address after both were killed', async context => {
  const server = await openServer(context)
  const before = server.pids()
  for (const pid of before) process.kill(pid, 'SIGKILL')
  await replaced(server, before, 2)
  const answers = await sendToAll(server, { path: '/readyz' }, 20)
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
})

test('a stop signal to all processes lets the requests at both workers finish', async context => {
  const server = await openServer(context)
  const ann = await buildUser(server)
  const uploads = await beginUploads(server, ann)
  const pids = server.pids()
  const stopping = logged(server.process, secondSignal)
  const exit = server.process.stop('SIGINT')
  for (const pid of pids) process.kill(pid, 'SIGINT')
  await stopping
  await expect.poll(() => sendWire(server.url, { path: '/healthz' }).catch(() => 'refused')).toBe('refused')
  for (const { finish } of uploads) finish()
  const answers = await Promise.all(uploads.map(({ answered }) => answered))
  expect(answers.map(([answer]) => answer.statusCode)).toEqual([201, 201, 201, 201])
  expect(await exit).toBe(0)
  expect(server.log().filter(({ msg }) => String(msg).startsWith('stop'))).toHaveLength(2)
  expect(pids.filter(runs)).toEqual([])
})

test('a second signal aborts the requests at both workers, and the log says how many', async context => {
  onlyNightly(context)
  const server = await openServer(context)
  const uploads = await beginUploads(server, await buildUser(server))
  expect(await stopTwice(server.process, uploads)).toMatch(/"cut":4,"msg":"requests were cut"/)
})

test('the workers end when the first process is killed', async context => {
  const server = await openServer(context)
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const pids = server.pids()
  expect(pids.filter(runs)).toHaveLength(2)
  server.process.child.kill('SIGKILL')
  await expect.poll(() => pids.filter(runs)).toEqual([])
  await expect(admin.call(getProfile, {})).rejects.toThrow()
})

test('the server ends with the reason when no worker is left and none can start', async context => {
  onlyNightly(context)
  const server = await openServer(context)
  const storage = join(server.dataDir, 'storage')
  await rename(storage, `${storage}-away`)
  await writeFile(storage, 'no folder')
  for (const pid of server.pids()) process.kill(pid, 'SIGKILL')
  const { exitCode, stderr } = await server.process.child
  // As a start with such a --storage ends.
  expect(exitCode).toBe(2)
  expect(String(stderr).trim().split('\n').at(-1)).toContain(storage)
})

test('the log names a MariaDB that allows fewer connections than the workers may need', async context => {
  onlyNightly(context)
  const mariadb = await createMariadb(context, ['--max-connections=30'])
  const folder = await mkdtemp(join(tmpdir(), 'filestore-workers-'))
  context.onTestFinished(async () => {
    await mariadb.remove()
    await rm(folder, { recursive: true, force: true })
  })
  const place = ['--data-dir', folder, '--database', mariadb.url]
  const server = await serveBinary(['--workers', '2', ...place])
  expect(await server.stop()).toBe(0)
  expect(String((await server.child).stderr)).toContain('"needed":36,"allowed":30')
})

test('a port in use is reported once, and all processes end', async context => {
  onlyOn('mariadb', context)
  const { config, database } = await createConfig()
  const taken = createServer()
  const port = await new Promise<number>(resolve => {
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port))
  })
  const place = ['--data-dir', config.dataDir, '--database', database.flag ?? '']
  const { exitCode, stderr } = await runBinary(['serve', '--workers', '2', '--port', String(port), ...place])
  taken.close()
  await database.drop()
  expect(exitCode).toBe(1)
  expect(stderr.match(/is in use/g)).toHaveLength(1)
  expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use: choose another with --port`)
})
