/** Reads a page of items in slices, so that no more rows are in memory than fit in its answer. */
import type { Principal } from '../access/actor.ts'
import type { FileItem } from '../api/items.ts'
import type { Database } from '../db/database.ts'
import { valuesAtOnce } from '../db/values.ts'
import type { ItemRow } from './item-row.ts'
import type { FolderPaths } from './paths.ts'
import { openItems, type PresentItems } from './present.ts'
import type { Listed } from './surroundings.ts'

interface PageSource {
  /** The most items of the page. */
  count: number
  /** The first rows after a row; null: from the page's beginning. */
  read(after: ItemRow | null, count: number): Promise<Listed[]>
  /** Reads paths that are not read from the rows' folders, once the first rows are read. */
  findPaths?(): Promise<FolderPaths>
}

interface ShownPage {
  items: FileItem[]
  /** The last row that is shown, if more follow. */
  last: ItemRow | null
}

/** Presents rows until the page has its items, or its answer is full. */
export async function presentPage(
  db: Database,
  viewer: Principal,
  { count, read, findPaths }: PageSource,
): Promise<ShownPage> {
  let present: PresentItems | null = null
  const items: FileItem[] = []
  let last: ItemRow | null = null
  for (;;) {
    // One row more than the page shows whether another page follows.
    const wanted = Math.min(valuesAtOnce, count + 1 - items.length)
    const rows = await read(last, wanted)
    present ??= openItems(db, viewer, await findPaths?.())
    const shown = await present(rows.slice(0, count - items.length))
    items.push(...shown.items)
    last = rows[shown.read - 1] ?? last
    if (shown.read < rows.length) return { items, last }
    if (rows.length < wanted) return { items, last: null }
  }
}
