/** The cost of each operation in accounts of 1,000 to a million items. All servers run, and are measured in turns. */
import { readAnswer, requestOf } from '../../src/api/client.ts'
import { downloadFile } from '../../src/api/content.ts'
import { createFolder, listFiles, moveFile, renameFile, uploadFile } from '../../src/api/files.ts'
import type { ItemAnswer } from '../../src/api/items.ts'
import { getFileStats, searchFiles } from '../../src/api/search.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { type Account, plantAccount } from './account.ts'
import { type Client, readBytes, sendBytes } from './client.ts'
import { sendLoad, uploadRequest } from './load.ts'
import { interleave, summarize, timed, timedTreeChange } from './measure.ts'
import { readSettledMemory } from './memory-of.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Place, setQuota } from './place.ts'
import { withPlace, withProduct } from './product.ts'
import type { ServerProcess } from './server-process.ts'
import type { Row, Unit } from './table.ts'

const pageSize = 100
const fileSize = 10 * 1024
/** A content of this size is stored outside the database, so that the database holds only rows. */
const storedSize = 40 * 1024
/** Bytes. */
const roomForAll = 1024 ** 4

interface Grown {
  count: number
  place: Place
  account: Account
  client: Client
  product: ServerProcess
}

/** Lends a server for each number of items, the smallest first. */
async function withGrown<T>(
  measuring: Measuring,
  counts: readonly number[],
  use: (all: Grown[]) => Promise<T>,
): Promise<T> {
  const [count, ...more] = counts
  if (count === undefined) return use([])
  return withPlace(measuring, async place => {
    await setQuota(place, roomForAll)
    const account = await changeRows(place, (db, owner) => plantAccount(db, owner, count))
    return withProduct(place, (client, product) =>
      withGrown(measuring, more, others => use([{ count, place, account, client, product }, ...others])),
    )
  })
}

/** Makes a name that no item has. */
let names = 0
const newName = (): string => `New ${++names}.bin`

async function upload(client: Client, size: number): Promise<number> {
  const text = await sendBytes(client, `/api${uploadFile.path}`, newName(), size)
  return readAnswer<ItemAnswer>({ status: 201, text }).file.id
}

type Operation = () => Promise<unknown>
/** An operation that returns how long (ms) it took. */
type Sampler = () => Promise<number>

/** Operations that read or change one item or one page. */
async function operationsOf({ client, account }: Grown): Promise<Record<string, Operation>> {
  const id = await upload(client, fileSize)
  const folders = [account.usual, account.other] as const
  let moves = 0
  const read = (url: string) => () => readBytes(client, `/api${url}`)
  return {
    'first page of a folder with half of all': read(
      requestOf(listFiles, { parent_id: account.huge, limit: pageSize }).url,
    ),
    'first page of a usual folder': read(requestOf(listFiles, { parent_id: account.usual, limit: pageSize }).url),
    'search, one hit': read(requestOf(searchFiles, { q: 'okapi', limit: pageSize }).url),
    'search, hits in 1 of 20 names': read(requestOf(searchFiles, { q: 'invoice', limit: pageSize }).url),
    statistics: read(requestOf(getFileStats, {}).url),
    'download of 10 KB': read(downloadFile.path.replace(':id', String(id))),
    'upload of 10 KB': () => upload(client, fileSize),
    'new folder': () => client.call(createFolder, { name: newName() }),
    'rename of a file': () => client.call(renameFile, { id, name: newName() }),
    'move of a file': () => client.call(moveFile, { id, parent_id: folders[moves++ % 2] ?? null }),
    'file to the trash and back': async () => {
      await client.call(trashFile, { id })
      await client.call(restoreFile, { id })
    },
    'rename of a folder with half of all': () => client.call(renameFile, { id: account.huge, name: newName() }),
  }
}

const timedEach = (operations: Record<string, Operation>): Record<string, Sampler> =>
  Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, () => timed(operation)]))

/** Operations on everything in a folder. */
const wholeOperationsOf = ({ client, account }: Grown): Record<string, Sampler> => ({
  'half of all to the trash and back': async () => {
    const trashed = await timedTreeChange(() => client.call(trashFile, { id: account.huge }))
    return trashed + (await timedTreeChange(() => client.call(restoreFile, { id: account.huge })))
  },
})

const nameOf = (name: string, count: number): string => `${name} (${count.toLocaleString('en')} items)`

/** A row for each size, compared with the smallest. */
const rowsOf = (name: string, unit: Unit, all: readonly Grown[], samples: readonly number[][]): Row[] =>
  all.map(({ count }, index) => ({
    name: nameOf(name, count),
    unit,
    value: summarize(samples[index] ?? []),
    ...(index > 0 && {
      reference: { name: (all[0]?.count ?? 0).toLocaleString('en'), figures: summarize(samples[0] ?? []) },
    }),
  }))

/** Measures each operation in all sizes in turns, one operation after the other. */
async function sampleOperations(
  all: readonly Grown[],
  operations: readonly Record<string, Sampler>[],
  { warmUps, rounds }: { warmUps: number; rounds: number },
): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of Object.keys(operations[0] ?? {})) {
    const subjects = operations.map(ofOne => ofOne[name] as Sampler)
    // Warm-up: the first requests compile code, and load pages of the database into memory.
    await interleave(warmUps, subjects)
    rows.push(...rowsOf(name, 'ms', all, await interleave(rounds, subjects)))
  }
  return rows
}

/** The size of a database with its indexes, in bytes. */
const sizeQueries = {
  sqlite: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  mariadb: `SELECT SUM(file_size) AS bytes FROM information_schema.innodb_sys_tablespaces
    WHERE name LIKE CONCAT(DATABASE(), '/%')`,
}

const readSize = (place: Place): Promise<number> =>
  changeRows(place, async db => (await db.row<{ bytes: number }>(sizeQueries[db.dialect]))?.bytes ?? Number.NaN)

/** Measures what an uploaded file adds to the largest database, with the rows of its content and its event. */
async function sampleUploadSize({ place, client }: Grown, count: number): Promise<number> {
  const before = await readSize(place)
  const path = `/api${uploadFile.path}`
  const requests = Array.from({ length: count }, () => uploadRequest(client, path, newName(), storedSize))
  await sendLoad(client.url, { lanes: 8, requests, status: 201 })
  return ((await readSize(place)) - before) / count
}

async function sampleSizes(all: readonly Grown[], isQuick: boolean): Promise<Row[]> {
  const perItem = []
  for (const { place, count } of all) perItem.push([(await readSize(place)) / count])
  const last = all.at(-1)
  const perUpload = last === undefined ? [] : [[await sampleUploadSize(last, isQuick ? 500 : 5_000)]]
  return [
    ...rowsOf('database, for each item', 'B', all, perItem),
    ...rowsOf('database, for each file that is uploaded', 'B', all.slice(-1), perUpload),
  ]
}

export async function measureGrowth(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const counts = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000]
  return withGrown(measuring, counts, async all => {
    const memory = []
    for (const { product } of all) memory.push([await readSettledMemory(product.pid)])
    const sizes = await sampleSizes(all, isQuick)
    const single = await Promise.all(all.map(operationsOf))
    return [
      ...sizes,
      ...rowsOf('memory at rest', 'MB', all, memory),
      ...(await sampleOperations(all, single.map(timedEach), { warmUps: 20, rounds: isQuick ? 10 : 100 })),
      ...(await sampleOperations(all, all.map(wholeOperationsOf), { warmUps: 1, rounds: isQuick ? 2 : 5 })),
    ]
  })
}
