/**
 * Files in an object store: large ones beside a bare client of the same store, the memory of one and of many at once, and
 * the requests of a check of many contents.
 */
import { createHash } from 'node:crypto'
import { execa } from 'execa'
import { downloadFile } from '../../src/api/content.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import type { Database } from '../../src/db/database.ts'
import { nameColumns } from '../../src/files/item-name.ts'
import { charge } from '../../src/files/space.ts'
import { s3Environment, startS3Server } from '../support/s3-server.ts'
import { emptyS3Place, newS3Place, type S3Place, s3Service } from '../support/s3-service.ts'
import { getObject, putObject } from './bare-objects.ts'
import { type Client, megabyte } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import { readPeakMemory, readSettledMemory } from './memory-of.ts'
import type { Measuring } from './options.ts'
import { changeRows, createPlace, type Owner, type Place, setQuota } from './place.ts'
import { binary, startProduct, withProduct } from './product.ts'
import type { Bound, Row } from './table.ts'
import { download, memoryBound, uploadLarge } from './transfers.ts'

const leastRatio: Bound = { of: 'ratio', side: 'at least', limit: 0.8 }
/** Transfers at once. */
const many = 16

interface Contest {
  client: Client
  pid: number
  store: S3Place
  size: number
  rounds: number
  /** The server's memory before its first transfer, in MB. */
  atRest: number
}

/** Lends a place whose bytes are in a store, with the flags that a server of it needs. */
async function withObjects<T>(
  measuring: Measuring,
  storage: string,
  env: Record<string, string>,
  use: (place: Place, flags: string[]) => Promise<T>,
): Promise<T> {
  const place = await createPlace(measuring)
  const flags = ['--storage', storage, '--cache-size', '0', '--max-file-size', '2GB']
  try {
    await (await startProduct(place, flags, 'inherit', env)).stop()
    return await use(place, flags)
  } finally {
    await place.remove()
  }
}

const pathOf = (id: number): string => `/api${downloadFile.path.replace(':id', String(id))}`

/** Samples the product and the bare client in turns. */
async function compare(
  { pid, size, rounds, atRest }: Contest,
  name: string,
  { viaProduct, viaBare }: Record<'viaProduct' | 'viaBare', () => Promise<unknown>>,
): Promise<Row[]> {
  const growth: number[] = []
  const speed = async (work: () => Promise<unknown>) => size / megabyte / ((await timed(work)) / 1000)
  const watched = () => speed(async () => growth.push((await readPeakMemory(pid, viaProduct)) - atRest))
  const [own, bare] = await interleave(rounds, [watched, () => speed(viaBare)])
  return [
    {
      name,
      unit: 'MB/s',
      value: summarize(own),
      reference: { name: 'bare client', figures: summarize(bare) },
      bound: leastRatio,
    },
    { name: `${name}: memory over rest`, unit: 'MB', value: summarize(growth), bound: memoryBound },
  ]
}

async function measureOne(contest: Contest, label: string): Promise<Row[]> {
  const { client, store, size } = contest
  // Warm-up, and something to download.
  const id = await uploadLarge(client, size)
  await putObject(store, 'bare', size)
  const uploads = await compare(contest, `upload of ${label} to the store`, {
    viaProduct: () => uploadLarge(client, size),
    viaBare: () => putObject(store, 'bare', size),
  })
  const downloads = await compare(contest, `download of ${label} from the store`, {
    viaProduct: () => download(client, pathOf(id), size),
    viaBare: () => getObject(store, 'bare'),
  })
  return [...uploads, ...downloads]
}

async function measureMany({ client, pid, size, atRest }: Contest): Promise<Row[]> {
  const each = size / many
  const label = `of ${Math.round(each / megabyte)} MB at once`
  const bound: Bound = { of: 'max', side: 'at most', limit: 400 }
  const memory = async (name: string, work: (index: number) => Promise<unknown>): Promise<Row> => {
    const all = () => Promise.all(Array.from({ length: many }, (_, index) => work(index)))
    const peak = await readPeakMemory(pid, all)
    return { name: `${many} ${name} ${label}: memory over rest`, unit: 'MB', value: summarize([peak - atRest]), bound }
  }
  const ids: number[] = []
  return [
    await memory('uploads', async () => ids.push(await uploadLarge(client, each))),
    await memory('downloads', index => download(client, pathOf(ids[index] ?? 0), each)),
  ]
}

/** Adds files with contents of one byte, of which each is in the store; returns their keys. */
async function plantContents(db: Database, owner: Owner, count: number): Promise<string[]> {
  const created_at = Date.now()
  const keys: string[] = []
  for (let start = 0; start < count; start += 1000) {
    const batch = Array.from({ length: Math.min(1000, count - start) }, newBlobKey)
    const blobs = batch.map(key => {
      const sha256 = createHash('sha256').update(key).digest('hex')
      return { key, place: 'store' as const, size: 1, sha256, created_at }
    })
    const ids = await db.insertIds(db.blobs, blobs, ['sha256'])
    await charge(db, owner.spaceId, batch.length, batch.length)
    await db.insertAll(
      db.files,
      ids.map((blob_id, index) => ({
        ...{ space_id: owner.spaceId, owner_id: owner.userId, parent_id: null, is_directory: 0 as const, size: 1 },
        ...{ blob_id, modified_at: null, created_at, updated_at: created_at },
        ...nameColumns(`${start + index}.bin`, false),
      })),
    )
    keys.push(...batch)
  }
  return keys
}

/** Counts what `filestore fsck` asks of a store that holds many contents. It is the tests' own, which counts. */
async function measureCheck(measuring: Measuring, count: number): Promise<Row[]> {
  const store = await startS3Server()
  try {
    return await withObjects(measuring, store.flag, s3Environment, async place => {
      const keys = await changeRows(place, (db, owner) => plantContents(db, owner, count))
      const object = { bytes: Buffer.alloc(1), modifiedAt: Date.now() }
      for (const key of keys) store.objects.set(`here/b/${key}`, object)
      store.requests.length = 0
      const database = place.databaseFlag === undefined ? [] : ['--database', place.databaseFlag]
      const args = ['fsck', '--data-dir', place.config.dataDir, '--storage', store.flag, ...database]
      const ms = await timed(() => execa(process.execPath, [binary, ...args], { env: s3Environment }))
      const name = `fsck of ${count.toLocaleString('en')} contents in a store`
      const bound: Bound = { of: 'max', side: 'at most', limit: 400 }
      return [
        { name, unit: 'requests', value: summarize([store.requests.length]), bound },
        { name, unit: 'ms', value: summarize([ms]) },
      ]
    })
  } finally {
    await store.close()
  }
}

/** Measures on the store that FILESTORE_TEST_S3 names; without one, nothing. */
export async function measureObjectStore(measuring: Measuring): Promise<Row[]> {
  if (s3Service === undefined) {
    console.error('left out: FILESTORE_TEST_S3 names no object store; `.ci/ceph` starts one (CONTRIBUTING.md)')
    return []
  }
  const { isQuick } = measuring
  const size = (isQuick ? 128 : 1024) * megabyte
  const rounds = isQuick ? 1 : 3
  const store = newS3Place()
  try {
    const transfers = await withObjects(measuring, store.flag, {}, async (place, flags) => {
      await setQuota(place, (rounds + 3) * size)
      const measure = async (client: Client, { pid }: { pid: number }) => {
        const contest = { client, pid, store, size, rounds, atRest: await readSettledMemory(pid) }
        return [...(await measureOne(contest, isQuick ? '128 MB' : '1 GB')), ...(await measureMany(contest))]
      }
      return withProduct(place, measure, flags)
    })
    return [...transfers, ...(await measureCheck(measuring, isQuick ? 2_000 : 100_000))]
  } finally {
    await emptyS3Place(store)
  }
}
