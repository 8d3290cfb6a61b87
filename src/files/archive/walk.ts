/** Walks a folder, or several chosen items, for an archive: page by page, each name safe and its folder's only one. */
import { numberedForm } from '../../api/names.ts'
import type { Database } from '../../db/database.ts'
import { findChildren } from '../children.ts'
import type { DetailsRow } from '../find.ts'
import { safeName } from './safe-name.ts'
import type { ZipFolder } from './zip-records.ts'

type Columns = 'id' | 'space_id' | 'name' | 'is_directory' | 'size' | 'blob_id' | 'blob_key' | 'blob_place' | 'sha256'
type WalkedRow = Pick<DetailsRow, Columns | 'modified_at' | 'updated_at'>

export interface WalkedItem {
  /** Null at the archive's top. */
  folder: ZipFolder | null
  name: string
  row: WalkedRow
}

async function* findRows(db: Database, spaceId: number, folderId: number): AsyncGenerator<WalkedRow> {
  for await (const rows of findChildren(db, spaceId, folderId)) yield* rows
}

/** Gives a folder's items their names in the archive, each once. */
type NameItem = (row: WalkedRow) => Promise<string>

/**
 * An item's own name comes before one that was made for another: `isTaken` says whether some item bears a name. Every
 * name is remembered where two items may bear the same; else only those that were made.
 */
function openNames(isTaken: (name: string) => Promise<boolean>, hasTwins: boolean): NameItem {
  const given = new Set<string>()
  /** The next number of each form: names that become alike go on where the last of them ended. */
  const next = new Map<string, number>()

  async function findNumbered(wanted: string, isDirectory: boolean, isFree: (name: string) => Promise<boolean>) {
    for (let digits = 1; ; digits++) {
      const { before, after, first, end } = numberedForm(wanted, isDirectory, digits)
      // No name holds a slash.
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

function openFolder(db: Database, spaceId: number, id: number, folder: ZipFolder | null) {
  const isTaken = async (name: string) => {
    const query = 'SELECT id FROM files WHERE space_id = $1 AND live_parent = $2 AND name = $3'
    return (await db.row(query, [spaceId, id, name])) !== undefined
  }
  return { id, folder, rows: findRows(db, spaceId, id), nameOf: openNames(isTaken, false) }
}

/**
 * What a folder holds, with all below it; each folder before its content. `top` is what the folder itself is in the
 * archive. Throws `not_found` where one of the folders is trashed meanwhile, at its next page or its end.
 */
export async function* walkFolder(
  db: Database,
  spaceId: number,
  id: number,
  top: ZipFolder | null = null,
): AsyncGenerator<WalkedItem> {
  const way = [openFolder(db, spaceId, id, top)]
  for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
    const { value: row } = await here.rows.next()
    if (row === undefined) {
      way.pop()
      continue
    }
    const { folder } = here
    const name = await here.nameOf(row)
    yield { folder, name, row }
    if (row.is_directory === 1) way.push(openFolder(db, spaceId, row.id, { parent: folder, name }))
  }
}

/**
 * Chosen items, each at the top under its own name, a second of that name as `name (1).ext`; folders with all below.
 * `names` are those of all of them.
 */
export async function* walkItems(
  db: Database,
  rows: AsyncIterable<WalkedRow>,
  names: ReadonlySet<string>,
): AsyncGenerator<WalkedItem> {
  const nameOf = openNames(async name => names.has(name), true)
  for await (const row of rows) {
    const name = await nameOf(row)
    yield { folder: null, name, row }
    if (row.is_directory === 1) yield* walkFolder(db, row.space_id, row.id, { parent: null, name })
  }
}
