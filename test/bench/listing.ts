/** The first page of a huge folder, compared with that of a small one. */
import { requestOf } from '../../src/api/client.ts'
import { listFiles, renameFile } from '../../src/api/files.ts'
import { type Client, readBytes } from './client.ts'
import { getRequest, sendLoad } from './load.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Place } from './place.ts'
import { plantEntries, plantFolder } from './plant.ts'
import { withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const pageSize = 100
const smallFolder = 200

interface Folders {
  huge: number
  small: number
  /** An item to rename, which changes the space of all others. */
  other: number
}

const plantFolders = (place: Place, count: number): Promise<Folders> =>
  changeRows(place, async (db, owner) => {
    const huge = await plantFolder(db, owner, null, 'Huge')
    await plantEntries(db, owner, huge, count)
    const small = await plantFolder(db, owner, null, 'Small')
    await plantEntries(db, owner, small, smallFolder)
    return { huge, small, other: await plantFolder(db, owner, null, 'Other') }
  })

const firstPage = (client: Client, folder: number): Promise<number> => {
  const { url } = requestOf(listFiles, { parent_id: folder, limit: pageSize })
  return timed(() => readBytes(client, `/api${url}`))
}

/** First pages without changes, then each directly after a change of the space. */
async function samplePages(client: Client, { huge, small, other }: Folders, isQuick: boolean) {
  let changes = 0
  const afterChange = async (folder: number) => {
    changes += 1
    await client.call(renameFile, { id: other, name: `Other ${changes}` })
    return firstPage(client, folder)
  }
  const warm = [() => firstPage(client, huge), () => firstPage(client, small)] as const
  // Warm-up: the first requests compile code.
  await interleave(50, warm)
  return {
    warm: await interleave(isQuick ? 20 : 500, warm),
    changed: await interleave(isQuick ? 5 : 50, [() => afterChange(huge), () => afterChange(small)]),
  }
}

const rowOf = (name: string, [huge, small]: readonly [number[], number[]]): Row => ({
  name,
  unit: 'ms',
  value: summarize(huge),
  reference: { name: `folder of ${smallFolder}`, figures: summarize(small) },
})

/** Entries of a folder that one request lists completely. */
const wholeFolder = 1000
/** Entries of the folder that is read in pages, and the largest page. */
const longFolder = 50_000
const longestPage = 10_000

/** Eight callers read pages of a folder at once, as fast as the server answers. */
async function measureRate(client: Client, folder: number, limit: number, least: number, count: number): Promise<Row> {
  const { url } = requestOf(listFiles, { parent_id: folder, limit })
  const load = {
    lanes: 8,
    requests: Array.from({ length: count }, () => getRequest(client, `/api${url}`)),
    status: 200,
  }
  await sendLoad(client.url, load)
  const samples: number[] = []
  for (let round = 0; round < 5; round++) samples.push((await sendLoad(client.url, load)).perSecond)
  return {
    name: `pages of ${limit} of a folder of ${wholeFolder.toLocaleString('en')}, 8 connections`,
    unit: 'requests/s',
    value: summarize(samples),
    bound: { of: 'median', side: 'at least', limit: least },
  }
}

/** Reads a whole folder, page after page. */
async function readWhole(client: Client, folder: number): Promise<number> {
  let entries = 0
  let cursor: string | undefined
  do {
    const page = await client.call(listFiles, { parent_id: folder, cursor })
    entries += page.files.length + page.folders.length
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return entries
}

async function measureLong(client: Client, folder: number, size: number, rounds: number): Promise<Row[]> {
  const first = () => firstPage(client, folder)
  const whole = () =>
    timed(async () => {
      const entries = await readWhole(client, folder)
      if (entries !== size) throw new Error(`${entries} of ${size} entries came`)
    })
  await interleave(3, [first, whole])
  const [firsts, wholes] = await interleave(rounds, [first, whole])
  const name = `folder of ${size.toLocaleString('en')}`
  return [
    {
      name: `${name}: first page`,
      unit: 'ms',
      value: summarize(firsts),
      bound: { of: 'median', side: 'at most', limit: 6 },
    },
    {
      name: `${name}: whole, in pages of ${longestPage.toLocaleString('en')}`,
      unit: 'ms',
      value: summarize(wholes),
      bound: { of: 'median', side: 'at most', limit: 900 },
    },
  ]
}

/** Measures the speed of pages, and of a folder that is longer than any page. */
async function measurePages(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const size = isQuick ? longFolder / 10 : longFolder
  return withPlace(measuring, async place => {
    const [whole, long] = await changeRows(place, async (db, owner) => {
      const folders = [await plantFolder(db, owner, null, 'Whole'), await plantFolder(db, owner, null, 'Long')] as const
      await plantEntries(db, owner, folders[0], wholeFolder)
      await plantEntries(db, owner, folders[1], size)
      return folders
    })
    return withProduct(place, async client => [
      await measureRate(client, whole, wholeFolder, 140, isQuick ? 50 : 500),
      await measureRate(client, whole, pageSize, 800, isQuick ? 200 : 2000),
      ...(await measureLong(client, long, size, isQuick ? 3 : 15)),
    ])
  })
}

export async function measureListing(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const count = isQuick ? 10_000 : 100_000
  const { warm, changed } = await withPlace(measuring, async place => {
    const folders = await plantFolders(place, count)
    return withProduct(place, client => samplePages(client, folders, isQuick))
  })
  const name = `first page of ${count.toLocaleString('en')} entries`
  return [
    { ...rowOf(name, warm), bound: { of: 'ratio', side: 'at most', limit: 2 } },
    rowOf(`${name}, after a change`, changed),
    ...(await measurePages(measuring)),
  ]
}
