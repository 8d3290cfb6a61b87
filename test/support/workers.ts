/** Runs the built binary with several workers on a MariaDB of its own, and opens the same data in the test. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Flags } from '../../src/config-options.ts'
import { openDeps } from '../../src/server/open-deps.ts'
import { type ServeProcess, serveBinary } from './binary.ts'
import { flagsOf } from './flags.ts'
import { migrateTest } from './migrated.ts'
import { storageFlagOf } from './s3-service.ts'
import { adminPassword, createConfig, type TestServer, testServerOf } from './test-server.ts'
import { sendWire, type WireAnswer, type WireRequest } from './wire.ts'

export interface WorkersServer extends TestServer {
  process: ServeProcess
  /** The lines that its processes have logged since it was ready. */
  log(): Record<string, unknown>[]
  /** The ids of the processes that answer requests, the oldest first. */
  pids(): number[]
}

const childrenOf = (pid: number | undefined): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

/** Collects the complete lines of a log. */
function followLog({ child }: ServeProcess): () => Record<string, unknown>[] {
  let text = ''
  child.stderr?.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  return () =>
    text
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line) as Record<string, unknown>)
}

/** Sends a request `times` times on new connections, and expects several workers to answer; returns all answers. */
export async function sendToAll(server: WorkersServer, request: WireRequest, times = 8): Promise<WireAnswer[]> {
  const answers: WireAnswer[] = []
  for (let round = 0; round < times; round++) answers.push(await sendWire(server.url, request))
  const ids = answers.map(({ headers }) => headers['x-request-id'])
  const pids = () => server.log().flatMap(({ requestId, pid }) => (ids.includes(String(requestId)) ? [pid] : []))
  await expect.poll(() => pids().length).toBe(times)
  expect(new Set(pids()).size).toBeGreaterThan(1)
  return answers
}

/**
 * `flags` are flags of `filestore serve`. `deps` belong to the test: they share rows and bytes with the server, but not
 * its counters.
 */
export async function startWorkers(flags: Flags = {}, workers = 2): Promise<WorkersServer> {
  const { config, database } = await createConfig(flags)
  await migrateTest(config.database)
  const storage = storageFlagOf(config)
  const shared: Flags = { dataDir: config.dataDir, database: database.flag, storage, logLevel: 'debug', ...flags }
  const process = await serveBinary(flagsOf({ ...shared, workers: String(workers) }), {
    FILESTORE_ADMIN_PASSWORD: adminPassword,
  })
  const deps = await openDeps(config)
  const stop = () => process.stop('SIGKILL')
  return {
    ...testServerOf({ url: process.url, config, database, deps, stop }),
    process,
    log: followLog(process),
    pids: () => childrenOf(process.child.pid),
  }
}
