/** Walks through the live items below a folder, some hundred rows at a time, to measure the tree or to copy it. */
import { liveRow, shownRow } from '../../access/policy.ts'
import type { Abilities } from '../../access/standing.ts'
import type { Database } from '../../db/database.ts'
import { isOneOf } from '../../db/values.ts'
import { refuseTooDeep } from '../find-in-space.ts'
import type { ItemRow } from '../item-row.ts'
import type { FolderAbove } from '../paths.ts'
import { findQuota, refuseBeyond } from '../space.ts'

/** Folders whose items one read returns. */
const foldersAtOnce = 100
/** Rows of one read while a tree is measured; it takes a few milliseconds of one of SQLite's three readers. */
const measuredAtOnce = 500

/** A folder of the source whose items may not all have been read yet. */
export interface OpenFolder {
  source: number
  /** The folder's level in the tree; the root has 1. */
  level: number
  /** The id of the last item read; 0 before the first. */
  afterId: number
}

export interface SourceRow {
  id: number
  parent_id: number
  name: string
  is_directory: 0 | 1
  size: number
}

/** The next folders to read from: the last one if it was begun, else the last unbegun ones, sorted by id. */
export function nextFolders<Folder extends OpenFolder>(open: readonly Folder[]): Folder[] {
  const begun = open.at(-1)
  if (begun !== undefined && begun.afterId > 0) return [begun]
  return open.slice(-foldersAtOnce).sort((a, b) => a.source - b.source)
}

/** What is read of a tree: the space, and who reads it with which abilities. */
export interface Source {
  sourceSpaceId: number
  /** The user who reads. */
  ownerId: number
  abilities: Abilities
}

/**
 * The next live items of the folders that are shown, folder by folder, at most `most`. `+ 0` keeps SQLite from reading the whole space
 * by its index.
 */
export const findSources = (
  db: Database,
  { sourceSpaceId, ownerId, abilities }: Source,
  folders: readonly OpenFolder[],
  most: number,
): Promise<SourceRow[]> =>
  db.rows<SourceRow>(
    `SELECT f.id, f.parent_id, f.name, f.is_directory, f.size FROM files f
     WHERE f.space_id + 0 = $1 AND ${liveRow} AND ${shownRow(abilities, '$3')} AND f.id > $2
       AND ${isOneOf(
         'f.parent_id',
         folders.map(({ source }) => source),
         4,
       )}
     ORDER BY f.parent_id, f.id LIMIT ${most}`,
    [sourceSpaceId, folders[0]?.afterId ?? 0, ownerId, ...folders.map(({ source }) => source)],
  )

/**
 * The folders still to be read after a read of `sources`: those that it did not finish, and those that it found.
 * `isLast`: the folders have no further items. `open` makes the entry of a folder found, or undefined to leave it out.
 */
export function leftOpen<Folder extends OpenFolder>(
  folders: readonly Folder[],
  sources: readonly SourceRow[],
  isLast: boolean,
  open: (found: OpenFolder) => Folder | undefined,
): Folder[] {
  const levels = new Map(folders.map(({ source, level }) => [source, level]))
  const found = sources.flatMap(({ id, parent_id, is_directory }) => {
    if (is_directory === 0) return []
    return open({ source: id, level: (levels.get(parent_id) ?? 0) + 1, afterId: 0 }) ?? []
  })
  const last = sources.at(-1)
  if (last === undefined || isLast) return found
  const rest = folders.filter(({ source }) => source > last.parent_id)
  const begun = folders.filter(({ source }) => source === last.parent_id)
  // The begun folder goes last, so that nextFolders continues with it.
  return [...rest, ...found, ...begun.map(folder => ({ ...folder, afterId: last.id }))]
}

export interface TreeSize {
  bytes: number
  /** Number of items, the root included. */
  items: number
  /** Number of folder levels. */
  height: number
}

/**
 * Measures a folder with all live items below it, in short reads outside of any write. Stops at the first read that
 * shows that a copy does not fit into the space or below the folders of `way`: throws `quota_exceeded` and
 * `invalid_input`.
 */
export async function measureTree(
  db: Database,
  item: ItemRow,
  terms: Source & { spaceId: number },
  way: readonly FolderAbove[],
): Promise<TreeSize> {
  const quota = await findQuota(db, terms.spaceId)
  const size = { bytes: 0, items: 1, height: 1 }
  const open: OpenFolder[] = [{ source: item.id, level: 1, afterId: 0 }]
  while (open.length > 0) {
    const folders = nextFolders(open)
    const sources = await findSources(db, terms, folders, measuredAtOnce)
    const left = leftOpen(folders, sources, sources.length < measuredAtOnce, found => found)
    // A new list for each read would copy all open folders each time.
    open.splice(-folders.length, folders.length, ...left)
    size.bytes += sources.reduce((sum, source) => sum + source.size, 0)
    size.items += sources.length
    size.height = left.reduce((height, { level }) => Math.max(height, level), size.height)
    refuseTooDeep(way, size.height)
    refuseBeyond(quota, size.bytes, size.items)
  }
  return size
}
