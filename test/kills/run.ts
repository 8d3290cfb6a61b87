/** Kills a server repeatedly at random moments under load, and checks the data after each restart. */
import { rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Config } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { type ServeProcess, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { migrateTest } from '../support/migrated.ts'
import { adminPassword, createConfig } from '../support/test-server.ts'
import { expectWhole, findWrongFiles, sweepLater } from './check.ts'
import { addFolders, createWorld, runLane, type World } from './lanes.ts'

const lanes = 8
/** Acknowledged changes between two kills, at least, however slow the machine is. */
export const leastChanges = 10
/** A kill comes after at most this many further changes and ms, in the middle of the next change. */
const [mostMore, mostTime] = [60, 100]

interface KillFigures {
  seed: number
  kills: number
  /** Acknowledged changes. */
  changes: number
  files: number
  /** Contents in the store without a row at the end. */
  swept: number
}

/** FILESTORE_TEST_SEED repeats the moments of the kills of a failed run, but not what they interrupt. */
const seedOfRun = (): number => Number(process.env.FILESTORE_TEST_SEED ?? Date.now() % 2 ** 32)

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Open only between two loads: an open connection would leave the next start nothing to recover from the WAL. */
async function withDatabase<T>(config: Config, look: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(config.database)
  try {
    return await look(db)
  } finally {
    await db.close()
  }
}

/**
 * Kills a server during the changes of all lanes. Fails when the server or a lane ended before, because then the kill
 * met no load.
 */
async function killUnderLoad(world: World, client: TestClient, { child, stop }: ServeProcess): Promise<void> {
  let isKilled = false
  let ended = 0
  const runAndCount = (lane: number) =>
    runLane(world, client, lane, () => isKilled).finally(() => {
      ended += 1
    })
  const load = Promise.all(Array.from({ length: lanes }, (_, lane) => runAndCount(lane)))
  // Each await of `load` below throws this error.
  load.catch(() => undefined)
  const enough = world.done + leastChanges + Math.floor(world.random() * mostMore)
  while (world.done < enough) await Promise.race([load, setTimeout(5)])
  await Promise.race([load, setTimeout(world.random() * mostTime)])
  expect({ ended, exitCode: child.exitCode, signalCode: child.signalCode }).toEqual({
    ended: 0,
    exitCode: null,
    signalCode: null,
  })
  isKilled = true
  await stop('SIGKILL')
  await load
  // A server that ended by itself would have another signal, or a code.
  expect(child.signalCode).toBe('SIGKILL')
}

/** Runs on the database of FILESTORE_TEST_DATABASE, otherwise on SQLite. Fails at the first problem. */
export async function killAgainAndAgain(kills: number, seed = seedOfRun()): Promise<KillFigures> {
  const { config, database } = await createConfig()
  await migrateTest(config.database)
  const args = ['--data-dir', config.dataDir, ...(database.flag === undefined ? [] : ['--database', database.flag])]
  const start = () => serveBinary(args, { FILESTORE_ADMIN_PASSWORD: adminPassword, FILESTORE_LOG_LEVEL: 'warn' })
  let running = await start()
  onTestFinished(async () => {
    await running.stop('SIGKILL')
    await database.drop()
    await rm(config.dataDir, { recursive: true, force: true })
  })
  const world = createWorld(seed)
  print(`kills: seed ${seed}`)
  let admin = await signIn(running.url, 'admin', adminPassword)
  await addFolders(world, admin)
  for (let kill = 1; kill <= kills; kill++) {
    await killUnderLoad(world, admin, running)
    running = await start()
    admin = await signIn(running.url, 'admin', adminPassword)
    await withDatabase(config, async db => {
      expect(await findWrongFiles(world, db, admin), `after kill ${kill} of seed ${seed}`).toEqual([])
      await expectWhole(config, db)
    })
  }
  await running.stop()
  const swept = await withDatabase(config, async db => {
    const keys = await sweepLater(config, db)
    await expectWhole(config, db)
    return keys
  })
  const figures = { seed, kills, changes: world.done, files: world.files.size, swept }
  print(`kills: ${JSON.stringify(figures)}`)
  return figures
}
