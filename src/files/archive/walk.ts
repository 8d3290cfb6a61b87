/** Walks a folder or chosen items for an archive, page by page; each name is safe and unique in its folder. */
import type { Need } from '../../access/standing.ts'
import { numberedForm } from '../../api/names.ts'
import type { Database } from '../../db/database.ts'
import { findChildren, type ShownRows } from '../children.ts'
import type { DetailsRow } from '../item-row.ts'
import { safeName } from './safe-name.ts'
import type { ZipFolder } from './zip-records.ts'

type Columns =
  | 'id'
  | 'space_id'
  | 'parent_id'
  | 'name'
  | 'is_directory'
  | 'size'
  | 'blob_id'
  | 'blob_key'
  | 'blob_place'
  | 'blob_size'
  | 'sha256'
type WalkedRow = Pick<DetailsRow, Columns | 'modified_at' | 'updated_at'>

export interface WalkedItem {
  /** Null at the archive's top. */
  folder: ZipFolder | null
  name: string
  row: WalkedRow
  /** What the reader must be allowed to read on, in the folder that holds the item and in the item. */
  need: Need
}

async function* findRows(db: Database, spaceId: number, folderId: number, shown: ShownRows): AsyncGenerator<WalkedRow> {
  for await (const rows of findChildren(db, spaceId, folderId, shown)) yield* rows
}

/** Returns an item's name in the archive, unique within its folder. */
type NameItem = (row: WalkedRow) => Promise<string>

/**
 * Names items uniquely. An item that has a name takes precedence over a name made up for another item: `isTaken` tells
 * whether some item has a name. If two items may have the same name (`hasTwins`), all given names are remembered, else
 * only the made-up ones.
 */
function openNames(isTaken: (name: string) => Promise<boolean>, hasTwins: boolean): NameItem {
  const given = new Set<string>()
  /** The next number to try for each form, so that equal names continue where the last one ended. */
  const next = new Map<string, number>()

  async function findNumbered(wanted: string, isDirectory: boolean, isFree: (name: string) => Promise<boolean>) {
    for (let digits = 1; ; digits++) {
      const { before, after, first, end } = numberedForm(wanted, isDirectory, digits)
      // The slash separates the two parts unambiguously, because no name contains one.
      const form = `${before}/${after}`
      for (let n = next.get(form) ?? first; n < end; n++) {
        next.set(form, n + 1)
        if (await isFree(before + n + after)) return before + n + after
      }
    }
  }

  return async row => {
    const wanted = safeName(row.name)
    const isFree = async (name: string) => !given.has(name) && (name === row.name || !(await isTaken(name)))
    const name = (await isFree(wanted)) ? wanted : await findNumbered(wanted, row.is_directory === 1, isFree)
    if (name !== row.name || hasTwins) given.add(name)
    return name
  }
}

function openFolder(db: Database, spaceId: number, id: number, folder: ZipFolder | null, shown: ShownRows) {
  const isTaken = async (name: string) => {
    const query = `SELECT f.id FROM files f WHERE f.space_id = $1 AND f.live_parent = $2 AND f.name = $3 AND ${shown.condition}`
    return (await db.row(query, [spaceId, id, name, shown.userId])) !== undefined
  }
  return { id, folder, rows: findRows(db, spaceId, id, shown), nameOf: openNames(isTaken, false) }
}

/**
 * Yields all items below a folder, each folder before its content. `top` is the folder's own entry in the archive.
 * Throws `not_found` if one of the folders is trashed meanwhile, at its next page or its end.
 */
export async function* walkFolder(
  db: Database,
  spaceId: number,
  id: number,
  shown: ShownRows,
  top: ZipFolder | null = null,
): AsyncGenerator<WalkedItem> {
  const stack = [openFolder(db, spaceId, id, top, shown)]
  for (let here = stack.at(-1); here !== undefined; here = stack.at(-1)) {
    const { value: row } = await here.rows.next()
    if (row === undefined) {
      stack.pop()
      continue
    }
    const { folder } = here
    const name = await here.nameOf(row)
    yield { folder, name, row, need: shown.need }
    if (row.is_directory === 1) stack.push(openFolder(db, spaceId, row.id, { parent: folder, name }, shown))
  }
}

/**
 * Yields chosen items at the top level, folders with everything below them. The first item of a name keeps it; a second
 * becomes `name (1).ext`. `names` holds the names of all chosen items.
 */
export async function* walkItems(
  db: Database,
  rows: AsyncIterable<WalkedRow & { shown: ShownRows }>,
  names: ReadonlySet<string>,
): AsyncGenerator<WalkedItem> {
  const nameOf = openNames(async name => names.has(name), true)
  for await (const row of rows) {
    const name = await nameOf(row)
    yield { folder: null, name, row, need: row.shown.need }
    if (row.is_directory === 1) yield* walkFolder(db, row.space_id, row.id, row.shown, { parent: null, name })
  }
}
