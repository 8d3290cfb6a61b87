/** Walks a folder, or several chosen items, for an archive: page by page, each name safe and its folder's only one. */
import type { Database } from '../db/database.ts'
import { type DetailsRow, findFolder } from './find.ts'
import { numberedForm } from './item-name.ts'
import { safeName } from './safe-name.ts'

/** Rows held for each folder on the way down, of which there are at most a hundred. */
const pageSize = 250

type Columns = 'id' | 'name' | 'is_directory' | 'size' | 'blob_id' | 'blob_key' | 'blob_place'
type WalkedRow = Pick<DetailsRow, Columns | 'modified_at' | 'updated_at'>

export interface WalkedItem {
  /** From the archive's top, with `/` at the end of a folder's. */
  path: string
  row: WalkedRow
}

/**
 * The live items of a folder. In order of their names, which no two of them share at a time: whatever is moved or
 * renamed meanwhile, no name comes twice.
 */
async function* findChildren(db: Database, spaceId: number, folderId: number): AsyncGenerator<WalkedRow> {
  let after = ''
  for (;;) {
    const rows = await db.rows<WalkedRow>(
      `SELECT f.id, f.name, f.is_directory, f.size, f.blob_id, f.modified_at, f.updated_at, b.\`key\` AS blob_key,
         b.place AS blob_place
       FROM files f LEFT JOIN blobs b ON b.id = f.blob_id
       WHERE f.space_id = $1 AND f.live_parent = $2 AND f.name > $3 ORDER BY f.name LIMIT ${pageSize}`,
      [spaceId, folderId, after],
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    after = last.name
  }
}

/** Gives a folder's items their names in the archive, each once. */
type NameItem = (row: WalkedRow) => Promise<string>

/**
 * Where names as they are cannot meet, only those that were made safe need be remembered; one of them must also keep
 * clear of what comes later: `isTaken` says whether some item bears a name. Without it every name is remembered.
 */
function openNames(isTaken?: (name: string) => Promise<boolean>): NameItem {
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
    const isFree = async (name: string) =>
      !given.has(name) && (name === row.name || isTaken === undefined || !(await isTaken(name)))
    const name = (await isFree(wanted)) ? wanted : await findNumbered(wanted, row.is_directory === 1, isFree)
    if (name !== row.name || isTaken === undefined) given.add(name)
    return name
  }
}

function openFolder(db: Database, spaceId: number, id: number, path: string) {
  const isTaken = async (name: string) => {
    const query = 'SELECT id FROM files WHERE space_id = $1 AND live_parent = $2 AND name = $3'
    return (await db.row(query, [spaceId, id, name])) !== undefined
  }
  return { id, path, rows: findChildren(db, spaceId, id), nameOf: openNames(isTaken) }
}

const pathOf = (folder: string, name: string, row: WalkedRow): string =>
  `${folder}${name}${row.is_directory === 1 ? '/' : ''}`

/**
 * What a folder holds, with all below it; each folder before its content. `path` is the folder's own. Throws `not_found`
 * where one of the folders is trashed meanwhile.
 */
export async function* walkFolder(db: Database, spaceId: number, id: number, path = ''): AsyncGenerator<WalkedItem> {
  const way = [openFolder(db, spaceId, id, path)]
  for (let folder = way.at(-1); folder !== undefined; folder = way.at(-1)) {
    const { value: row } = await folder.rows.next()
    if (row === undefined) {
      // One that went to the trash meanwhile looks like one that has ended.
      await findFolder(db, spaceId, folder.id)
      way.pop()
      continue
    }
    const item = { path: pathOf(folder.path, await folder.nameOf(row), row), row }
    yield item
    if (row.is_directory === 1) way.push(openFolder(db, spaceId, row.id, item.path))
  }
}

/** Chosen items, each at the top under its own name, a second of that name as `name (1).ext`; folders with all below. */
export async function* walkItems(
  db: Database,
  spaceId: number,
  rows: Iterable<WalkedRow> | AsyncIterable<WalkedRow>,
): AsyncGenerator<WalkedItem> {
  const nameOf = openNames()
  for await (const row of rows) {
    const path = pathOf('', await nameOf(row), row)
    yield { path, row }
    if (row.is_directory === 1) yield* walkFolder(db, spaceId, row.id, path)
  }
}
