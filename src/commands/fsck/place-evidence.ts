/**
 * Which value is wrong where an item is in another space than its folder. What is kept apart from the item's row tells: a
 * space counts its items and bytes in its own row, and shares, links and the items in a folder name its space, too. A folder
 * at the top is its owner's.
 */
import type { Database } from '../../db/database.ts'
import type { CheckedItem } from './item-rows.ts'

/** The wrong value of an item: its space, or its folder. */
export type Mistake = 'space' | 'folder'

interface Sums {
  items: number
  bytes: number
}

const none: Sums = { items: 0, bytes: 0 }
const isSame = (one: Sums, other: Sums): boolean => one.items === other.items && one.bytes === other.bytes
const sumsOf = (row: Sums | undefined): Sums => ({ items: Number(row?.items ?? 0), bytes: Number(row?.bytes ?? 0) })

/** By how much the rows of a space are more than it counts; undefined if there is no such space. */
export async function findExcess(db: Database, spaceId: number): Promise<Sums | undefined> {
  const row = await db.row<Sums>(
    `SELECT COUNT(f.id) - s.item_count AS items, COALESCE(SUM(f.size), 0) - s.storage_used AS bytes
     FROM spaces s LEFT JOIN files f ON f.space_id = s.id WHERE s.id = $1
     GROUP BY s.id, s.item_count, s.storage_used`,
    [spaceId],
  )
  return row === undefined ? undefined : sumsOf(row)
}

/** The items of a space in folders of another one. */
const findStrays = async (db: Database, spaceId: number, folderSpace: number): Promise<Sums> =>
  sumsOf(
    await db.row<Sums>(
      `SELECT COUNT(*) AS items, COALESCE(SUM(f.size), 0) AS bytes FROM files f JOIN files p ON p.id = f.parent_id
       WHERE f.space_id = $1 AND p.space_id = $2`,
      [spaceId, folderSpace],
    ),
  )

/** Whether any item of a space is in a folder of another one: it could make up for one that the space lacks. */
const hasStray = async (db: Database, spaceId: number): Promise<boolean> =>
  (await db.row(
    'SELECT f.id FROM files f JOIN files p ON p.id = f.parent_id WHERE f.space_id = $1 AND p.space_id <> $1 LIMIT 1',
    [spaceId],
  )) !== undefined

/** What the sums of both spaces say; null: nothing. Both differ by just what is astray if its space is wrong. */
async function findBySums(db: Database, item: CheckedItem, home: number, own: Sums): Promise<Mistake | null> {
  const lacking = await findExcess(db, home)
  if (lacking === undefined) return null
  const isAtTop = item.parent_id === null
  const strays = isAtTop ? { items: 1, bytes: item.size } : await findStrays(db, item.space_id, home)
  if (isSame(own, strays)) return isSame(strays, { items: -lacking.items, bytes: -lacking.bytes }) ? 'space' : null
  return !isAtTop && isSame(lacking, none) && !(await hasStray(db, home)) ? 'folder' : null
}

const namedSpaces = `SELECT space_id FROM shares WHERE item_id = $1 UNION SELECT space_id FROM links WHERE item_id = $1
  UNION SELECT space_id FROM file_thumbnails WHERE file_id = $1
  UNION SELECT scope_space_id FROM api_keys WHERE scope_item_id = $1
  UNION SELECT space_id FROM files WHERE parent_id = $1`

/** Whether a folder at the top of one user's storage is of the owner of another one, as whatever is at a top is its owner's. */
async function isOfOwner(db: Database, item: CheckedItem, home: number): Promise<boolean> {
  const isOthers = item.space_kind === 'personal' && item.owner_id !== item.space_owner
  const query = "SELECT id FROM spaces WHERE id = $1 AND owner_id = $2 AND kind = 'personal'"
  return isOthers && (await db.row(query, [home, item.owner_id])) !== undefined
}

/** What the rows say that name the space of the item beside it; null: nothing, `either`: they contradict each other. */
async function findByNames(db: Database, item: CheckedItem, home: number): Promise<Mistake | 'either' | null> {
  // What is in a folder at the top makes it a suspect, and may be in it by a wrong folder.
  if (item.parent_id === null) return (await isOfOwner(db, item, home)) ? 'space' : null
  const rows = await db.rows<{ space_id: number }>(namedSpaces, [item.id])
  const ofTrashRoot = item.trash_root_id === item.id ? null : item.root_space
  const named = [ofTrashRoot, ...rows.map(({ space_id }) => space_id)]
  const [isOwn, isHome] = [named.includes(item.space_id), named.includes(home)]
  if (isOwn && isHome) return 'either'
  if (isHome) return 'space'
  return isOwn ? 'folder' : null
}

/**
 * The wrong value of an item whose folder, or whose own items, are in the space `home`; null if nobody can tell. Call it
 * in a snapshot or in a write that has locked both spaces.
 */
export async function findMistake(db: Database, item: CheckedItem, home: number): Promise<Mistake | null> {
  const own = await findExcess(db, item.space_id)
  if (own === undefined) return (await findExcess(db, home)) === undefined ? null : 'space'
  const bySums = await findBySums(db, item, home, own)
  const byNames = await findByNames(db, item, home)
  if (bySums === null) return byNames === 'either' ? null : byNames
  return byNames === null || byNames === bySums ? bySums : null
}
