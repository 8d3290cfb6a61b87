/**
 * Searches live items and all below them: by a walk through their folders, or, where a folder holds much of a space that the
 * searcher sees, like the whole space. A walk reads each name below, and cannot end at the newest hits.
 */
import type { Database } from '../../db/database.ts'
import { maxSortKeyLength, partInSortKeys } from '../../db/fold.ts'
import { joinInOrder } from '../../db/join-in-order.ts'
import type { SearchInput } from './filters.ts'
import type { AddBind, SearchSource } from './names.ts'
import { chooseSource } from './source.ts'

/** A space of fewer items is not measured, because a walk takes no longer. */
const leastItems = 20_000
/** What is below is searched like the whole space if it is at least one part of so many: a walk takes so much longer. */
const parts = 4

/** A join of a row with the entries of the folders `folders`, by the index of listings. */
function rightIn({ dialect }: Database, row: string): string {
  // Without the hint MariaDB would take an index of whole spaces.
  const index = dialect === 'mariadb' ? 'FORCE INDEX (files_by_name)' : ''
  return `folders ${joinInOrder[dialect]} files ${row} ${index}
    ON ${row}.space_id = folders.space_id AND ${row}.live_parent = folders.id`
}

/** The folders among some items, and all live folders below them: WITH before a query of `folders`. */
const withFolders = (db: Database, isRoot: string): string => `WITH RECURSIVE folders (space_id, id) AS (
    SELECT r.space_id, r.id FROM files r JOIN spaces sp ON sp.id = r.space_id WHERE ${isRoot} AND r.is_directory = 1
    UNION
    SELECT c.space_id, c.id FROM ${rightIn(db, 'c')} AND c.is_directory = 1)`

/**
 * Searches some live items and all below them by a walk through their folders. Most names are told by their sort keys, which
 * the walk's index has.
 */
export function walkBelow(db: Database, rootIds: readonly number[], text: string, add: AddBind): SearchSource {
  const roots = rootIds.map(id => add(id)).join(', ')
  const part = add(partInSortKeys(text))
  const mayContain = `(INSTR(b.sort_key, ${part}) > 0 OR LENGTH(b.sort_key) >= ${maxSortKeyLength})`
  return {
    from: `(${withFolders(db, `r.id IN (${roots})`)}
      SELECT b.id FROM ${rightIn(db, 'b')} WHERE ${mayContain}
      UNION SELECT o.id FROM files o WHERE o.id IN (${roots})
      ) below ${joinInOrder[db.dialect]} files f ON f.id = below.id`,
    where: [`INSTR(f.name_folded, ${add(text)}) > 0`],
    id: 'f.id',
  }
}

/** Searches a space, and keeps the hits that are below the folder. */
async function searchWithin(
  db: Database,
  { spaceId, folderId }: SeenFolder,
  text: string,
  input: SearchInput,
  add: AddBind,
): Promise<SearchSource> {
  const source = await chooseSource(db, spaceId, text, input, add)
  const root = add(folderId)
  // With OR, MariaDB asks each hit for its folder, and does not begin with all folders.
  const isBelow = `(f.live_parent IN (${withFolders(db, `r.id = ${root}`)} SELECT id FROM folders) OR f.id = ${root})`
  return { ...source, where: [...source.where, isBelow] }
}

async function holdsMuch(db: Database, folderId: number): Promise<boolean> {
  const row = await db.row(
    `${withFolders(db, `r.id = $1 AND sp.item_count >= ${leastItems}`)}
     SELECT folders.space_id AS space_id FROM folders
       ${joinInOrder[db.dialect]} folder_counts k ON k.space_id = folders.space_id AND k.folder_id = folders.id
       JOIN spaces sp ON sp.id = folders.space_id
     GROUP BY folders.space_id, sp.item_count HAVING SUM(k.items) * ${parts} >= sp.item_count`,
    [folderId],
  )
  return row !== undefined
}

/** A folder of a space of which the searcher sees all. */
interface SeenFolder {
  spaceId: number
  folderId: number
}

/**
 * Searches a folder with all below it for a folded text. For others than those who see all of its space there is `walkBelow`
 * alone: the time of a search that reads the space's index would tell them what is outside the folder.
 */
export const searchBelow = async (
  db: Database,
  folder: SeenFolder,
  text: string,
  input: SearchInput,
  add: AddBind,
): Promise<SearchSource> =>
  (await holdsMuch(db, folder.folderId))
    ? searchWithin(db, folder, text, input, add)
    : walkBelow(db, [folder.folderId], text, add)
