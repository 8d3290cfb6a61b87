/** Other requests while the trash is emptied of very many items. */
import { createFolder, listFiles } from '../../src/api/files.ts'
import { emptyTrash } from '../../src/api/trash.ts'
import type { Client } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Place } from './place.ts'
import { plantEntries, plantFolder } from './plant.ts'
import { withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

/** Half of the items in the trash are single files, the other half are in one folder. */
const plantTrash = (place: Place, count: number): Promise<number> =>
  changeRows(place, async (db, owner) => {
    const alone = await plantFolder(db, owner, null, 'Alone')
    const tree = await plantFolder(db, owner, null, 'Tree')
    for (const folder of [alone, tree]) await plantEntries(db, owner, folder, count / 2)
    const now = Date.now()
    await db.change('UPDATE files SET deleted_at = $1, trash_root_id = id WHERE parent_id = $2', [now, alone])
    await db.change('UPDATE files SET deleted_at = $1, trash_root_id = $2 WHERE parent_id = $2 OR id = $2', [now, tree])
    const work = await plantFolder(db, owner, null, 'Work')
    await plantEntries(db, owner, work, 1000)
    return work
  })

interface Samples {
  reads: number[]
  writes: number[]
  /** The same requests just before the emptying, which shows the load of the machine. */
  before: { reads: number[]; writes: number[] }
  /** Time until the trash was empty, in ms. */
  whole: number
}

/** Lists a folder and makes folders alternately until the trash is empty. */
async function sampleOthers(client: Client, folder: number): Promise<Samples> {
  const reads: number[] = []
  const writes: number[] = []
  const read = () => timed(() => client.call(listFiles, { parent_id: folder, limit: 100 }))
  let made = 0
  const write = () => timed(() => client.call(createFolder, { parent_id: folder, name: `New ${made++}` }))
  // Warm-up: the first requests compile code.
  await interleave(20, [read, write])
  const [readsBefore, writesBefore] = await interleave(100, [read, write])
  let isDone = false
  const start = performance.now()
  const emptying = client.call(emptyTrash, {}).finally(() => {
    isDone = true
  })
  while (!isDone) {
    reads.push(await read())
    writes.push(await write())
  }
  await emptying
  return { reads, writes, before: { reads: readsBefore, writes: writesBefore }, whole: performance.now() - start }
}

export async function measureEmptying(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const count = isQuick ? 5_000 : 50_000
  const { reads, writes, before, whole } = await withPlace(measuring, async place => {
    const folder = await plantTrash(place, count)
    return withProduct(place, client => sampleOthers(client, folder))
  })
  const name = `while a trash of ${count.toLocaleString('en')} items is emptied`
  const referenceOf = (samples: number[]) => ({ name: 'before', figures: summarize(samples) })
  const bound = { of: 'p95', side: 'at most', limit: 100 } as const
  return [
    { name: `first page, ${name}`, unit: 'ms', value: summarize(reads), reference: referenceOf(before.reads), bound },
    { name: `new folder, ${name}`, unit: 'ms', value: summarize(writes), reference: referenceOf(before.writes), bound },
    { name: `emptying a trash of ${count.toLocaleString('en')} items`, unit: 'ms', value: summarize([whole]) },
  ]
}
