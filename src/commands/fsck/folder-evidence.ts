/** What tells beside an item's row in which folder it is: events, the mark of the trash, and the tree. */
import { isLive } from '../../access/policy.ts'
import { maxTreeDepth } from '../../api/limits.ts'
import type { Database } from '../../db/database.ts'
import { eventDetail } from '../../db/models/events.ts'
import { parseStored } from '../../db/stored-json.ts'
import { isOneOf, valuesAtOnce } from '../../db/values.ts'
import type { FolderDrift } from './folder-drifts.ts'
import { type CheckedItem, findCheckedItem } from './item-rows.ts'

/** An item that may belong to another folder than its row says. */
export interface Candidate {
  id: number
  /** The folder into which its newest event has put it (0: the top); undefined if no event says so. */
  notedIn: number | undefined
  /** The folder from which its newest event has moved it into the one of its row. */
  cameFrom: number | undefined
}

async function findFolder(db: Database, spaceId: number, id: number): Promise<CheckedItem | undefined> {
  const item = await findCheckedItem(db, id)
  return item?.space_id === spaceId && item.is_directory === 1 ? item : undefined
}

/** Whether a folder of the space exists; its top always does. */
export const isFolderOf = async (db: Database, spaceId: number, folderId: number): Promise<boolean> =>
  folderId === 0 || (await findFolder(db, spaceId, folderId)) !== undefined

/** The trash root of what is in a folder; null for what is live. */
async function findTrashRoot(db: Database, spaceId: number, folderId: number): Promise<number | null> {
  const folder = folderId === 0 ? undefined : await findFolder(db, spaceId, folderId)
  return folder === undefined || isLive(folder) ? null : (folder.trash_root_id ?? folder.id)
}

/** The folders from the given one up to the top. */
async function findAbove(db: Database, spaceId: number, folderId: number): Promise<Set<number>> {
  const above = new Set<number>()
  for (let next = folderId; next !== 0 && !above.has(next) && above.size <= maxTreeDepth; ) {
    above.add(next)
    next = (await findFolder(db, spaceId, next))?.parent_id ?? 0
  }
  return above
}

interface PlaceEvent {
  item_id: number
  action: string
  detail: string | null
}

/** The newest event of each item that names its folder. */
async function findPlaceEvents(
  db: Database,
  spaceId: number,
  ids: readonly number[],
): Promise<Map<number, PlaceEvent>> {
  const newest = new Map<number, PlaceEvent>()
  for (let start = 0; start < ids.length; start += valuesAtOnce) {
    const slice = ids.slice(start, start + valuesAtOnce)
    const rows = await db.rows<PlaceEvent>(
      `SELECT item_id, action, detail FROM events WHERE ${isOneOf('item_id', slice, 2)} AND space_id = $1
         AND action IN ('file.move', 'file.copy', 'file.trash', 'file.restore', 'folder.create') ORDER BY id`,
      [spaceId, ...slice],
    )
    for (const row of rows.filter(({ detail }) => folderIn(detail) !== undefined)) newest.set(row.item_id, row)
  }
  return newest
}

const asFolder = (value: unknown): number | undefined =>
  value === null ? 0 : typeof value === 'number' ? value : undefined

const detailOf = (detail: string | null) => parseStored(eventDetail.schema, detail ?? 'null') ?? {}

/** The folder that an event names as the item's: `to` of a move, else `parent_id`. */
function folderIn(detail: string | null): number | undefined {
  const { to, parent_id } = detailOf(detail)
  return asFolder(to === undefined ? parent_id : to)
}

/** More items of a folder than these are not told apart. */
const mostCandidates = 1000

/**
 * The items of a folder that may belong to one of the folders `homes`, with what their events say: an item is in the trash
 * together with its folder, and no folder is inside itself.
 */
export async function findCandidates(
  db: Database,
  spaceId: number,
  { folder_id, is_directory }: FolderDrift,
  homes: readonly FolderDrift[],
): Promise<Candidate[]> {
  const rows = await db.rows<{ id: number; trash_root_id: number | null }>(
    `SELECT f.id, f.trash_root_id FROM files f WHERE f.space_id = $1 AND f.live_parent = $2 AND f.is_directory = $3
     ORDER BY f.id LIMIT ${mostCandidates}`,
    [spaceId, folder_id, is_directory],
  )
  const places: { root: number | null; above: Set<number> }[] = []
  for (const { folder_id: home } of homes) {
    places.push({ root: await findTrashRoot(db, spaceId, home), above: await findAbove(db, spaceId, home) })
  }
  const found = rows.filter(row => places.some(({ root, above }) => row.trash_root_id === root && !above.has(row.id)))
  const events = await findPlaceEvents(
    db,
    spaceId,
    found.map(({ id }) => id),
  )
  return found.map(({ id }) => {
    const event = events.get(id)
    const notedIn = event === undefined ? undefined : folderIn(event.detail)
    const cameFrom = notedIn === folder_id ? asFolder(detailOf(event?.detail ?? null).from) : undefined
    return { id, notedIn, cameFrom }
  })
}
