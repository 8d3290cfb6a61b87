/**
 * Reads and writes of all kinds on 32 connections for some minutes (FILESTORE_TEST_MINUTES, 3 by default): no request
 * fails, memory and open files do not grow, and at the end all files and counters are correct.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { getFileStats, searchFiles } from '../../src/api/search.ts'
import { openDatabase } from '../../src/db/database.ts'
import { expectWhole, findWrongFiles, sweepLater } from '../kills/check.ts'
import { addFolders, createWorld, makeChange, pickLive, type World } from '../kills/lanes.ts'
import { serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { adminPassword, createConfig } from '../support/test-server.ts'

const minutes = Number(process.env.FILESTORE_TEST_MINUTES ?? 3)
const connections = 32
const sampleEvery = 2000
const megabyte = 1024 ** 2

/** Of the server process: resident bytes, and open files including sockets. */
interface Sample {
  rss: number
  files: number
}

async function takeSample(pid: number): Promise<Sample> {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return { rss: Number(kilobytes) * 1024, files: (await readdir(`/proc/${pid}/fd`)).length }
}

async function downloadOne(world: World, client: TestClient, lane: number): Promise<void> {
  const [id, file] = pickLive(world, lane) ?? []
  if (file === undefined) return
  const response = await client.raw(`/api/files/${id}/download`)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([response.status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, file.sha256])
}

/** Sends one request after the other until the time is over, and returns how many. Throws at the first failure. */
async function runMixedLane(world: World, client: TestClient, lane: number, isOver: () => boolean): Promise<number> {
  const kinds = [
    () => makeChange(world, client, lane),
    () => makeChange(world, client, lane),
    () => downloadOne(world, client, lane),
    () => client.call(listFiles, { parent_id: world.folders[lane % world.folders.length], limit: 100 }),
    () => client.call(searchFiles, { q: `${lane}-a` }),
    () => client.call(getFileStats, {}),
  ]
  let sent = 0
  for (; !isOver(); sent++) await kinds[Math.floor(world.random() * kinds.length)]?.()
  return sent
}

const mostOf = (samples: readonly Sample[], what: keyof Sample): number =>
  Math.max(...samples.map(sample => sample[what]))

/** The highest values in the second and in the last third of the time, when all caches are full. */
function compareThirds(samples: readonly Sample[]): { middle: Sample; last: Sample } {
  const third = Math.floor(samples.length / 3)
  const most = (part: readonly Sample[]) => ({ rss: mostOf(part, 'rss'), files: mostOf(part, 'files') })
  return { middle: most(samples.slice(third, 2 * third)), last: most(samples.slice(2 * third)) }
}

/** Runs the load; returns the number of answered requests and the values of the server process. */
async function runLoad(world: World, client: TestClient, pid: number) {
  const end = performance.now() + minutes * 60_000
  const isOver = () => performance.now() > end
  const samples: Sample[] = []
  const watch = async () => {
    for (; !isOver(); await setTimeout(sampleEvery)) samples.push(await takeSample(pid))
  }
  const lanes = Array.from({ length: connections }, (_, lane) => runMixedLane(world, client, lane, isOver))
  const [, ...sent] = await Promise.all([watch(), ...lanes])
  return { requests: sent.reduce((sum, count) => sum + count, 0), ...compareThirds(samples) }
}

/**
 * Starts the built server on the database of FILESTORE_TEST_DATABASE, otherwise on SQLite, and signs in its
 * administrator.
 */
async function openServer() {
  const { config, database } = await createConfig()
  const flags = database.flag === undefined ? [] : ['--database', database.flag]
  const env = { FILESTORE_ADMIN_PASSWORD: adminPassword, FILESTORE_LOG_LEVEL: 'warn' }
  const running = await serveBinary(['--data-dir', config.dataDir, ...flags], env)
  onTestFinished(async () => {
    await running.stop('SIGKILL')
    await database.drop()
    await rm(config.dataDir, { recursive: true, force: true })
  })
  return { config, running, admin: await signIn(running.url, 'admin', adminPassword) }
}

const title = `${minutes} minutes on ${connections} connections end as they began`
test(title, { timeout: (minutes + 10) * 60_000 }, async () => {
  const { config, running, admin } = await openServer()
  const world = createWorld(1)
  await addFolders(world, admin)
  const pid = running.child.pid ?? 0
  const { files: filesBefore } = await takeSample(pid)
  const figures = await runLoad(world, admin, pid)
  process.stdout.write(`mixed load: ${JSON.stringify({ minutes, ...figures, changes: world.done })}\n`)
  // During the load the number varies with the client's connections, which it closes after a minute without a request.
  const countFiles = async () => (await takeSample(pid)).files
  await expect.poll(countFiles, { timeout: 120_000, interval: 2000 }).toBeLessThanOrEqual(filesBefore + 8)

  const db = await openDatabase(config.database)
  onTestFinished(() => db.close())
  expect(await findWrongFiles(world, db, admin)).toEqual([])
  await running.stop()
  expect(await sweepLater(config, db)).toBe(0)
  await expectWhole(config, db)
  const { middle, last } = figures
  expect(last.rss).toBeLessThan(middle.rss * 1.1 + 30 * megabyte)
  expect(String((await running.child).stderr)).not.toContain('"level":50')
})
