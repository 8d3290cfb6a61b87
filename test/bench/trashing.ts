/** Moving a folder with very many items to the trash and back, while another caller reads. */
import { requestOf } from '../../src/api/client.ts'
import { listFiles } from '../../src/api/files.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { type Client, readBytes } from './client.ts'
import { interleave, summarize, timed, timedTreeChange } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Place } from './place.ts'
import { plantEntries, plantFolder, plantTree } from './plant.ts'
import { withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const pageSize = 100
/** The largest allowed time of each way, in ms. */
const actLimit = { sqlite: 300, mariadb: 1500 }
/** The largest allowed 95th percentile of the reads meanwhile, in ms. */
const readLimit = 50

interface Folders {
  full: number
  /** The path that the other caller lists. */
  work: number
}

const plantFolders = (place: Place, count: number): Promise<Folders> =>
  changeRows(place, async (db, owner) => {
    const full = await plantTree(db, owner, 'Full', count)
    const work = await plantFolder(db, owner, null, 'Work')
    await plantEntries(db, owner, work, 1000)
    return { full, work }
  })

/** Times an action; adds the time of each page that was read meanwhile to `reads`. */
async function timedBeside(act: () => Promise<unknown>, read: () => Promise<number>, reads: number[]): Promise<number> {
  let isDone = false
  const acting = timedTreeChange(() =>
    act().finally(() => {
      isDone = true
    }),
  )
  while (!isDone) reads.push(await read())
  return acting
}

async function sampleBoth(client: Client, { full, work }: Folders, rounds: number) {
  const { url } = requestOf(listFiles, { parent_id: work, limit: pageSize })
  const read = () => timed(() => readBytes(client, `/api${url}`))
  // Warm-up: the first requests compile code.
  const [before] = await interleave(100, [read])
  const reads: number[] = []
  const trash = () => timedBeside(() => client.call(trashFile, { id: full }), read, reads)
  const restore = () => timedBeside(() => client.call(restoreFile, { id: full }), read, reads)
  const [trashed, restored] = await interleave(rounds, [trash, restore])
  return { before, reads, trashed, restored }
}

export async function measureTrashing(measuring: Measuring): Promise<Row[]> {
  const { isQuick, mariadbUrl } = measuring
  const count = isQuick ? 5_000 : 50_000
  const { before, reads, trashed, restored } = await withPlace(measuring, async place => {
    const folders = await plantFolders(place, count)
    return withProduct(place, client => sampleBoth(client, folders, isQuick ? 3 : 15))
  })
  const limit = mariadbUrl === undefined ? actLimit.sqlite : actLimit.mariadb
  const act = (name: string, samples: number[]): Row => ({
    name: `${name} of a folder with ${count.toLocaleString('en')} items below`,
    unit: 'ms',
    value: summarize(samples),
    bound: { of: 'median', side: 'at most', limit },
  })
  return [
    act('trash', trashed),
    act('restore', restored),
    {
      name: 'first page of another folder meanwhile',
      unit: 'ms',
      value: summarize(reads),
      reference: { name: 'before', figures: summarize(before) },
      bound: { of: 'p95', side: 'at most', limit: readLimit },
    },
  ]
}
