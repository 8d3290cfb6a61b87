/** Large files: the speed of uploads and downloads compared with a bare server, and the memory they take. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { readAnswer } from '../../src/api/client.ts'
import { downloadFile } from '../../src/api/content.ts'
import { uploadFile } from '../../src/api/files.ts'
import type { ItemAnswer } from '../../src/api/items.ts'
import { folderOfStore } from '../../src/blobs/open-store.ts'
import { withBareServer } from './bare.ts'
import { type Client, megabyte, sendBytes, type Target } from './client.ts'
import { drain } from './drain.ts'
import { getRequest, sendLoad } from './load.ts'
import { interleave, summarize, timed } from './measure.ts'
import { readPeakMemory, readSettledMemory } from './memory-of.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Place, setQuota } from './place.ts'
import { withPlace, withProduct } from './product.ts'
import type { ServerProcess } from './server-process.ts'
import type { Bound, Row } from './table.ts'

/** Downloads are short, so other load on the machine affects only some of them; more samples reduce its effect. */
const downloadsPerUpload = 3
/** The memory that transfers may take beyond the memory at rest. */
export const memoryBound: Bound = { of: 'max', side: 'at most', limit: 120 }

const ratioBound = (limit: number | undefined): Bound | undefined =>
  limit === undefined ? undefined : { of: 'ratio', side: 'at least', limit }

interface Contest {
  size: number
  rounds: number
  product: ServerProcess
  client: Client
  bare: ServerProcess
  /** The product's memory before its first transfer, in MB. */
  memoryAtRest: number
}

/** One kind of transfer on both servers. */
interface Match {
  name: string
  /** The smallest allowed ratio to the bare server, and to the bare server with pieces of the product's size. */
  least: { bare?: number; large?: number }
  rounds: number
  /** Warm-up runs before each sample. */
  prepare: () => Promise<void>
  viaProduct: () => Promise<unknown>
  /** `query` starts with `&` or is empty. */
  viaBare: (query: string) => Promise<unknown>
}

/** Samples the product, the bare server, and the bare server with pieces of the product's size, in turns. */
async function compare({ size, product, memoryAtRest }: Contest, match: Match): Promise<Row[]> {
  const { name, least, rounds, prepare, viaProduct, viaBare } = match
  const growth: number[] = []
  const speed = async (work: () => Promise<unknown>) => {
    await prepare()
    return size / megabyte / ((await timed(work)) / 1000)
  }
  const watched = async () => {
    const peak = await readPeakMemory(product.pid, viaProduct)
    growth.push(peak - memoryAtRest)
  }
  const [own, bare, large] = await interleave(rounds, [
    () => speed(watched),
    () => speed(() => viaBare('')),
    () => speed(() => viaBare(`&piece=${megabyte}`)),
  ])
  const value = summarize(own)
  return [
    {
      name,
      unit: 'MB/s',
      value,
      reference: { name: 'bare', figures: summarize(bare) },
      bound: ratioBound(least.bare),
    },
    {
      name: `${name}, beside large pieces`,
      unit: 'MB/s',
      value,
      reference: { name: 'bare, 1 MB', figures: summarize(large) },
      bound: ratioBound(least.large),
    },
    { name: `${name}: memory over rest`, unit: 'MB', value: summarize(growth), bound: memoryBound },
  ]
}

/** Uploads one file; returns its id. */
export async function uploadLarge(target: Target, size: number): Promise<number> {
  const text = await sendBytes(target, `/api${uploadFile.path}`, 'large.bin', size)
  return readAnswer<ItemAnswer>({ status: 201, text }).file.id
}

/** The path of a file's content in the store, so that the bare server can send the same content. */
export const findBytes = (place: Place, id: number): Promise<string> =>
  changeRows(place, async db => {
    const sql = 'SELECT `key` FROM blobs WHERE id = (SELECT blob_id FROM files WHERE id = $1)'
    const key = (await db.row<{ key: string }>(sql, [id]))?.key ?? ''
    return join(folderOfStore(place.config) ?? '', 'blobs', key.slice(0, 2), key)
  })

/** Downloads a file; throws when it is incomplete. */
export async function download(target: Target, path: string, size: number): Promise<void> {
  const came = await drain(target, path)
  if (came !== size) throw new Error(`${came} of ${size} bytes came`)
}

/** Requests the last megabyte of the file, as a media player does. */
async function measureEnd(client: Client, path: string, label: string): Promise<Row> {
  const request = getRequest({ ...client, headers: { ...client.headers, range: `bytes=-${megabyte}` } }, path)
  const load = { lanes: 1, requests: Array.from({ length: 200 }, () => request), status: 206 }
  // Warm-up: the first requests compile code.
  await sendLoad(client.url, load)
  const { ms } = await sendLoad(client.url, load)
  return {
    name: `last MB of ${label} by Range`,
    unit: 'ms',
    value: summarize(ms),
    bound: { of: 'median', side: 'at most', limit: 1.5 },
  }
}

async function measureBoth(place: Place, contest: Contest, label: string): Promise<Row[]> {
  const { size, rounds, client, bare } = contest
  const plain: Target = { url: bare.url, headers: {} }
  // Warm-up: later samples find both servers warm, and a file to download.
  const id = await uploadLarge(client, size)
  const file = await findBytes(place, id)
  const uploads = await compare(contest, {
    name: `upload of ${label}`,
    least: { bare: 1.3 },
    rounds,
    prepare: async () => undefined,
    viaProduct: () => uploadLarge(client, size),
    viaBare: query => sendBytes(plain, `/?${query}`, 'large.bin', size),
  })
  const downloads = await compare(contest, {
    name: `download of ${label}`,
    least: { large: 0.9 },
    rounds: downloadsPerUpload * rounds,
    // Read the file first: some systems drop a file from memory within seconds, and the first reader would pay for the
    // disk.
    prepare: () => finished(createReadStream(file, { highWaterMark: megabyte }).resume()),
    viaProduct: () => download(client, `/api${downloadFile.path.replace(':id', String(id))}`, size),
    viaBare: query => download(plain, `/?file=${encodeURIComponent(file)}${query}`, size),
  })
  return [
    ...uploads,
    ...downloads,
    await measureEnd(client, `/api${downloadFile.path.replace(':id', String(id))}`, label),
  ]
}

/** Measures uploads and downloads of one large file. */
export async function measureTransfers(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const size = (isQuick ? 128 : 1024) * megabyte
  const rounds = isQuick ? 2 : 5
  return withPlace(measuring, async place => {
    await setQuota(place, (rounds + 1) * size)
    const measure = async (client: Client, product: ServerProcess) => {
      const memoryAtRest = await readSettledMemory(product.pid)
      return withBareServer(bare =>
        measureBoth(place, { size, rounds, product, client, bare, memoryAtRest }, isQuick ? '128 MB' : '1 GB'),
      )
    }
    return withProduct(place, measure, ['--max-file-size', '2GB'])
  })
}
