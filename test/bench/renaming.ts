/** Renaming a folder with very many items below it, compared with an empty one. */
import { renameFile } from '../../src/api/files.ts'
import type { Client } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Place } from './place.ts'
import { plantFolder, plantTree } from './plant.ts'
import { withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

interface Folders {
  full: number
  empty: number
}

const plantFolders = (place: Place, count: number): Promise<Folders> =>
  changeRows(place, async (db, owner) => ({
    full: await plantTree(db, owner, 'Full', count),
    empty: await plantFolder(db, owner, null, 'Empty'),
  }))

/** Renames a folder to a new name. */
function renamer(client: Client, id: number): () => Promise<number> {
  let times = 0
  return () => {
    times += 1
    return timed(() => client.call(renameFile, { id, name: `Folder ${id}, renamed ${times} times` }))
  }
}

export async function measureRenaming(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const count = isQuick ? 5_000 : 50_000
  const [full, empty] = await withPlace(measuring, async place => {
    const folders = await plantFolders(place, count)
    return withProduct(place, async client => {
      const subjects = [renamer(client, folders.full), renamer(client, folders.empty)] as const
      // Warm-up: the first requests compile code.
      await interleave(20, subjects)
      return interleave(isQuick ? 20 : 200, subjects)
    })
  })
  return [
    {
      name: `rename of a folder with ${count.toLocaleString('en')} items below`,
      unit: 'ms',
      value: summarize(full),
      reference: { name: 'empty folder', figures: summarize(empty) },
      bound: { of: 'median', side: 'at most', limit: 5 },
    },
  ]
}
