/** `filestore storage move` that is killed again and again while people upload, download and delete: nothing is lost. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pMap from 'p-map'
import { expect, onTestFinished, test } from 'vitest'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/database.ts'
import { sweepLater } from '../kills/check.ts'
import { randomFrom } from '../kills/lanes.ts'
import { runBinary, type ServeProcess, serveBinary, startBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { rounds, seed } from '../support/rounds.ts'
import { type S3Server, s3Environment, startS3Server } from '../support/s3-server.ts'
import { adminPassword, createConfig, type TestServer } from '../support/test-server.ts'
import { dataFlags } from './administration.ts'

const files = rounds(60, 1_000)
/** In each direction. */
const kills = rounds(2, 10)
const lanes = 3
const random = randomFrom(seed)
const upTo = (most: number): number => 1 + Math.floor(random() * most)

interface Place {
  bucket: S3Server
  folder: string
  data: Pick<TestServer, 'dataDir' | 'databaseFlag'>
  /** The same on a command line. */
  flags: string[]
  env: Record<string, string>
  /** Contents by the id of their file. */
  contents: Map<number, Buffer>
}

async function openPlace(): Promise<Place> {
  const bucket = await startS3Server()
  const { config, database } = await createConfig()
  const folder = await mkdtemp(join(tmpdir(), 'filestore-moved-'))
  onTestFinished(async () => {
    await bucket.close()
    await database.drop()
    for (const path of [config.dataDir, folder]) await rm(path, { recursive: true, force: true })
  })
  const data = { dataDir: config.dataDir, databaseFlag: database.flag }
  const env = { ...s3Environment, FILESTORE_ADMIN_PASSWORD: adminPassword, FILESTORE_MIN_FREE_SPACE: '0' }
  return { bucket, folder, data, flags: [...dataFlags(data), '--cache-size', '0'], env, contents: new Map() }
}

/** Runs a server with these flags during some work. */
async function withServer<Result>(
  { flags, env }: Place,
  more: readonly string[],
  work: (client: TestClient) => Promise<Result>,
): Promise<Result> {
  const running: ServeProcess = await serveBinary([...flags, ...more], env)
  try {
    return await work(await signIn(running.url, 'admin', adminPassword))
  } finally {
    expect(await running.stop()).toBe(0)
  }
}

async function upload({ contents }: Place, client: TestClient, content: Buffer): Promise<void> {
  const { id } = await client.upload(content, { name: `${randomBytes(8).toString('hex')}.bin` })
  contents.set(id, content)
}

const contentOf = (): Buffer => randomBytes(random() < 0.02 ? 9_000_000 : 33_000 + Math.floor(random() * 20_000))

async function expectContent(client: TestClient, id: number, content: Buffer): Promise<void> {
  const response = await client.raw(`/api/files/${id}/download`)
  expect(response.status).toBe(200)
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
}

/** Takes a file out of those that others act on. */
function pick({ contents }: Place): [number, Buffer] {
  const list = [...contents]
  return list[Math.floor(random() * list.length)] ?? expect.fail()
}

/** One person's next act: a download, a new file, an equal one, or a deletion. */
async function act(place: Place, client: TestClient): Promise<void> {
  const [id, content] = pick(place)
  const kind = random()
  if (kind < 0.2) await upload(place, client, contentOf())
  else if (kind < 0.3) await upload(place, client, content)
  else if (kind < 0.35) {
    place.contents.delete(id)
    await client.call(trashFile, { id })
    await client.call(deleteFile, { id })
  } else {
    // Another lane may delete it meanwhile.
    await expectContent(client, id, content).catch(error => {
      if (place.contents.has(id)) throw error
    })
  }
}

async function underLoad(place: Place, client: TestClient, work: () => Promise<void>): Promise<void> {
  let isOver = false
  const run = async () => {
    while (!isOver) await act(place, client)
  }
  const load = Promise.all(Array.from({ length: lanes }, run))
  try {
    await Promise.race([work(), load])
  } finally {
    isOver = true
  }
  await load
}

/** Kills a run during a request at a random moment; returns the signal and, of a run that ended before, its code. */
async function killOnce({ bucket, env }: Place, args: string[]) {
  const running = startBinary(args, { env })
  // Each content that moves is removed under one key of the bucket.
  let removals = upTo(Math.floor(files / (kills + 1)))
  let requests = upTo(8)
  bucket.decide = name => {
    if (name.startsWith('DELETE')) removals -= 1
    if (removals <= 0) requests -= 1
    if (requests === 0) running.kill('SIGKILL')
    return 'serve'
  }
  const { signal, exitCode } = await running
  bucket.decide = () => 'serve'
  return { signal, exitCode }
}

/** Moves all bytes beside a server and people at work, killing each run but the last. */
async function moveAll(place: Place, to: string, from: string): Promise<void> {
  const stores = ['--storage', to, '--storage-from', from]
  const args = ['storage', 'move', ...place.flags, ...stores]
  const killed = { signal: 'SIGKILL', exitCode: undefined }
  await withServer(place, stores, async client => {
    // A killed run keeps the other direction out for two minutes, in which people would delete too much of what moves.
    await expect.poll(() => killOnce(place, args), { timeout: 180_000, interval: 5_000 }).toEqual(killed)
    await underLoad(place, client, async () => {
      for (let kill = 1; kill < kills; kill++) expect(await killOnce(place, args)).toEqual(killed)
      // A file that is being deleted has no row, but bytes for a moment.
      await expect.poll(async () => (await runBinary(args, { env: place.env })).exitCode, { timeout: 60_000 }).toBe(0)
    })
  })
}

/** The server with one store has every content, and fsck agrees; what kills have left is swept. */
async function expectAll(place: Place, storage: string): Promise<void> {
  const { data, flags, env, contents } = place
  await withServer(place, ['--storage', storage], client =>
    pMap(contents, ([id, content]) => expectContent(client, id, content), { concurrency: 4 }),
  )
  const config = readConfig({ dataDir: data.dataDir, storage, database: data.databaseFlag }, env)
  const db = await openDatabase(config.database)
  await sweepLater(config, db)
  await db.close()
  const fsck = await runBinary(['fsck', '--hash', ...flags, '--storage', storage], { env })
  expect([fsck.exitCode, fsck.stderr]).toEqual([0, ''])
}

test(`${files} files go to a bucket and back while people work, though each way is killed ${kills} times`, {
  timeout: 1_800_000,
}, async () => {
  const place = await openPlace()
  const { bucket, folder } = place
  await withServer(place, ['--storage', folder], client =>
    pMap(Array.from({ length: files }), () => upload(place, client, contentOf()), { concurrency: 4 }),
  )

  await moveAll(place, bucket.flag, folder)
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
  expect(entries.filter(entry => entry.isFile())).toEqual([])
  await expectAll(place, bucket.flag)

  await moveAll(place, folder, bucket.flag)
  expect([...bucket.objects.keys()].filter(key => key.startsWith('here/b/'))).toEqual([])
  await expectAll(place, folder)
})
