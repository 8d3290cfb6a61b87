/** The first page of a huge folder beside that of a small one. */
import { requestOf } from '../../src/api/client.ts'
import { listFiles, renameFile } from '../../src/api/files.ts'
import { type Client, readBytes } from './client.ts'
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
  /** Renamed to change the space that all of them lie in. */
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

/** First pages while nothing changes, then each straight after a change of the space. */
async function samplePages(client: Client, { huge, small, other }: Folders, isQuick: boolean) {
  let changes = 0
  const afterChange = async (folder: number) => {
    changes += 1
    await client.call(renameFile, { id: other, name: `Other ${changes}` })
    return firstPage(client, folder)
  }
  const warm = [() => firstPage(client, huge), () => firstPage(client, small)] as const
  // Unmeasured: the first requests find code that is not compiled yet.
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
  ]
}
