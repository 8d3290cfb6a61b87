/** Kills a server again and again at random moments under load, and looks at each next start at what is there. */
import { rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Config } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { adminPassword, createConfig } from '../support/server.ts'
import { expectWhole, findWrongFiles, sweepLater } from './check.ts'
import { addFolders, createWorld, runLane } from './lanes.ts'

const lanes = 8
/** A kill comes after at most so many changes, however slow the machine, and ms more: in the middle of the next. */
const [mostChanges, mostTime] = [60, 100]

interface KillFigures {
  seed: number
  kills: number
  /** Changes that were acknowledged. */
  changes: number
  files: number
  /** Contents in the store that no row named at the end. */
  swept: number
}

/** FILESTORE_TEST_SEED takes a run again that failed; the moments of its kills are the same, what they meet is not. */
const seedOfRun = (): number => Number(process.env.FILESTORE_TEST_SEED ?? Date.now() % 2 ** 32)

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Open only between two loads: while a SQLite database is open, the next start has nothing to recover. */
async function withDatabase<T>(config: Config, look: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(config.database)
  try {
    return await look(db)
  } finally {
    await db.close()
  }
}

/** Runs on the database of FILESTORE_TEST_DATABASE, else on SQLite. Fails at the first thing that is not as it must be. */
export async function killAgainAndAgain(kills: number, seed = seedOfRun()): Promise<KillFigures> {
  const { config, database } = await createConfig()
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
    const load = Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(world, admin, lane)))
    let isOver = false
    const ended = load.finally(() => {
      isOver = true
    })
    const enough = world.done + Math.floor(world.random() * mostChanges)
    while (world.done < enough && !isOver) await Promise.race([ended, setTimeout(5)])
    await setTimeout(world.random() * mostTime)
    await running.stop('SIGKILL')
    await ended
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
