/** The first page of a large folder by date, size and type, compared with the same page by name. */
import { requestOf } from '../../src/api/client.ts'
import { listFiles, type SortKey } from '../../src/api/files.ts'
import { type Client, readBytes } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Place } from './place.ts'
import { plantEntries, plantFolder } from './plant.ts'
import { withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const pageSize = 100
const extensions = ['pdf', 'jpg', 'txt', 'docx', 'png', 'mp4', 'zip', 'md']

/** Plants a folder of files whose sizes and times do not follow their names; returns its id. */
const plantMixed = (place: Place, count: number): Promise<number> =>
  changeRows(place, async (db, owner) => {
    const folder = await plantFolder(db, owner, null, 'Mixed')
    await plantEntries(db, owner, folder, count, index => `Report ${index}.${extensions[index % extensions.length]}`)
    await db.change(
      `UPDATE files SET size = (id * 7919) % 100003, updated_at = updated_at - (id * 104729) % 1000003
       WHERE parent_id = $1 AND is_directory = 0`,
      [folder],
    )
    return folder
  })

export async function measureSorting(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const count = isQuick ? 10_000 : 100_000
  return withPlace(measuring, async place => {
    const folder = await plantMixed(place, count)
    return withProduct(place, async client => {
      const page = (sort: SortKey, order: 'asc' | 'desc') => () => firstFiles(client, folder, sort, order)
      const subjects = [page('name', 'asc'), page('date', 'desc'), page('size', 'desc'), page('type', 'asc')] as const
      // Warm-up: the first requests compile code.
      await interleave(50, subjects)
      const [byName, ...others] = await interleave(isQuick ? 20 : 300, subjects)
      return others.map((samples, index) => ({
        name: `first page of ${count.toLocaleString('en')} files by ${['date', 'size', 'type'][index]}`,
        unit: 'ms',
        value: summarize(samples),
        reference: { name: 'by name', figures: summarize(byName) },
        bound: { of: 'ratio', side: 'at most', limit: 2 } as const,
      }))
    })
  })
}

const firstFiles = (client: Client, folder: number, sort: SortKey, order: 'asc' | 'desc'): Promise<number> => {
  const { url } = requestOf(listFiles, { parent_id: folder, limit: pageSize, only: 'files', sort, order })
  return timed(() => readBytes(client, `/api${url}`))
}
