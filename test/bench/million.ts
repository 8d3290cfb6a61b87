/** Searches, first pages and statistics in an account of a million items, compared with a tenth of that. */
import { requestOf } from '../../src/api/client.ts'
import { listFiles, renameFile } from '../../src/api/files.ts'
import { getFileStats } from '../../src/api/search.ts'
import { type Account, plantAccount } from './account.ts'
import { type Client, readBytes } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows } from './place.ts'
import { withPlace, withProduct } from './product.ts'
import { sampleSearches } from './searches.ts'
import type { Row } from './table.ts'

const pageSize = 100
/** ms */
const searchLimits = { sqlite: { million: 10, tenth: 3 }, mariadb: { million: 300, tenth: 30 } }
const pageLimit = 30

/** A subject to measure: its name, its path below /api, and the largest allowed median in ms. */
type Subject = [name: string, path: string, limit: number]

const statistics = (limit: number): Subject => ['statistics', requestOf(getFileStats, {}).url, limit]

const firstPage = (name: string, folder: number): Subject => [
  `first page of a ${name} folder`,
  requestOf(listFiles, { parent_id: folder, limit: pageSize }).url,
  pageLimit,
]

/** Measures each request without changes, and directly after a change of the space, which clears the caches. */
async function samplePaths(client: Client, { other }: Account, subjects: readonly Subject[], rounds: number) {
  let changes = 0
  const read = (path: string) => timed(() => readBytes(client, `/api${path}`))
  const readChanged = async (path: string) => {
    changes += 1
    await client.call(renameFile, { id: other, name: `Okapi ${changes}` })
    return read(path)
  }
  const both = subjects.flatMap(([name, path, limit]) => [
    { name, limit, sample: () => read(path) },
    { name: `${name}, after a change`, limit, sample: () => readChanged(path) },
  ])
  const samplers = both.map(({ sample }) => sample)
  // Warm-up: the first requests compile code.
  await interleave(5, samplers)
  const samples = await interleave(rounds, samplers)
  return both.map(
    ({ name, limit }, index): Row => ({
      name,
      unit: 'ms',
      value: summarize(samples[index] ?? []),
      bound: { of: 'median', side: 'at most', limit },
    }),
  )
}

/** Lends a running server whose only account holds this many items; the number is part of each row's name. */
async function withAccount(
  measuring: Measuring,
  count: number,
  sample: (client: Client, account: Account) => Promise<Row[]>,
): Promise<Row[]> {
  const rows = await withPlace(measuring, async place => {
    const account = await changeRows(place, (db, owner) => plantAccount(db, owner, count))
    return withProduct(place, client => sample(client, account))
  })
  return rows.map(row => ({ ...row, name: `${row.name} (${count.toLocaleString('en')} items)` }))
}

export async function measureMillion(measuring: Measuring): Promise<Row[]> {
  const { mariadbUrl, isQuick } = measuring
  const rounds = isQuick ? 3 : 15
  const limits = searchLimits[mariadbUrl === undefined ? 'sqlite' : 'mariadb']
  const all = await withAccount(measuring, isQuick ? 20_000 : 1_000_000, async (client, account) => {
    const subjects = [firstPage('huge', account.huge), firstPage('usual', account.usual), statistics(20)]
    const paths = await samplePaths(client, account, subjects, rounds)
    return [...(await sampleSearches(client, limits.million, rounds)), ...paths]
  })
  const tenth = await withAccount(measuring, isQuick ? 2_000 : 101_000, async (client, account) => [
    ...(await sampleSearches(client, limits.tenth, rounds)),
    ...(await samplePaths(client, account, [statistics(20)], rounds)),
  ])
  return [...all, ...tenth]
}
