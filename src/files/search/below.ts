/**
 * Searches some live items and all below them: by a walk through their folders, or, where these hold much of a space, like
 * the whole space. A walk reads each name below, and cannot end at the newest hits.
 */
import { isInSpace } from '../../access/reach.ts'
import type { Database } from '../../db/database.ts'
import { maxSortKeyLength, partInSortKeys } from '../../db/fold.ts'
import { joinInOrder } from '../../db/join-in-order.ts'
import { createBinds } from '../../db/keyset.ts'
import { findRowsById } from '../find.ts'
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

/** Walks through the folders. Most names are told by their sort keys, which the walk's index has. */
function walk(db: Database, rootIds: readonly number[], text: string, add: AddBind): SearchSource {
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

/** Searches a space, and keeps the hits that are below. */
async function searchWithin(
  db: Database,
  { spaceId, rootIds }: { spaceId: number; rootIds: readonly number[] },
  text: string,
  input: SearchInput,
  add: AddBind,
): Promise<SearchSource> {
  const source = await chooseSource(db, spaceId, text, input, add)
  const roots = rootIds.map(id => add(id)).join(', ')
  // With OR, MariaDB asks each hit for its folder, and does not begin with all folders.
  const isBelow = `(f.live_parent IN (${withFolders(db, `r.id IN (${roots})`)} SELECT id FROM folders) OR f.id IN (${roots}))`
  return { ...source, where: [...source.where, isBelow] }
}

/** The spaces of which much is below the items. */
async function findMostlyBelow(db: Database, rootIds: readonly number[]): Promise<number[]> {
  const binds = createBinds()
  const isRoot = `r.id IN (${rootIds.map(id => binds.add(id)).join(', ')}) AND sp.item_count >= ${leastItems}`
  const rows = await db.rows<{ space_id: number }>(
    `${withFolders(db, isRoot)}
     SELECT folders.space_id AS space_id FROM folders
       ${joinInOrder[db.dialect]} folder_counts k ON k.space_id = folders.space_id AND k.folder_id = folders.id
       JOIN spaces sp ON sp.id = folders.space_id
     GROUP BY folders.space_id, sp.item_count HAVING SUM(k.items) * ${parts} >= sp.item_count`,
    binds.values,
  )
  return rows.map(({ space_id }) => space_id)
}

type MakeSource = (add: AddBind) => SearchSource | Promise<SearchSource>

/** What is read to find the items whose name contains a folded text among some live items and all below them. */
export async function findSourcesBelow(
  db: Database,
  rootIds: readonly number[],
  text: string,
  input: SearchInput,
): Promise<MakeSource[]> {
  const spaceIds = await findMostlyBelow(db, rootIds)
  const rows = spaceIds.length === 0 ? [] : [...(await findRowsById(db, rootIds)).values()]
  const rootsIn = (spaceId: number) => rows.filter(row => isInSpace({ spaceId }, row.space_id)).map(({ id }) => id)
  const within = spaceIds.map(spaceId => ({ spaceId, rootIds: rootsIn(spaceId) }))
  const others = rootIds.filter(id => !within.some(one => one.rootIds.includes(id)))
  return [
    ...within.map(
      (one): MakeSource =>
        add =>
          searchWithin(db, one, text, input, add),
    ),
    ...(others.length > 0 ? [(add: AddBind) => walk(db, others, text, add)] : []),
  ]
}
