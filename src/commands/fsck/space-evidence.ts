/**
 * What tells whose a personal space is: the folders at its top, which belong to the owner, whoever made them
 * (files/top-folder.ts), and its time, which is that of its owner, as both are made in one write (users/create-user.ts).
 */
import type { Database } from '../../db/database.ts'

export interface PersonalSpace {
  id: number
  owner_id: number
  /** Null: there is no such user. */
  username: string | null
}

export const personalSpaces = `SELECT s.id, s.owner_id, o.username FROM spaces s LEFT JOIN users o ON o.id = s.owner_id
  WHERE s.kind = 'personal'`

export const findSpacesOf = (db: Database, userId: number): Promise<PersonalSpace[]> =>
  db.rows<PersonalSpace>(`${personalSpaces} AND s.owner_id = $1 ORDER BY s.id`, [userId])

/** The folders `f` at the top of a space `s`, without the one that is being transferred to its owner's heir. */
export const topFolder = `f.space_id = s.id AND f.live_parent = 0 AND f.is_directory = 1
  AND f.id <> COALESCE(s.transfer_folder_id, 0)`

export interface ItemOwner {
  id: number
  /** Null: there is no such user. */
  username: string | null
  items: number
}

const findOwners = (db: Database, spaceId: number, items: string): Promise<ItemOwner[]> =>
  db.rows<ItemOwner>(
    `SELECT f.owner_id AS id, u.username, COUNT(*) AS items FROM spaces s JOIN files f ON ${items}
       LEFT JOIN users u ON u.id = f.owner_id WHERE s.id = $1 GROUP BY f.owner_id, u.username ORDER BY items DESC`,
    [spaceId],
  )

export const findTopOwners = (db: Database, spaceId: number): Promise<ItemOwner[]> => findOwners(db, spaceId, topFolder)

/** Whose a space is by its items: the owners of the folders at its top, or of all items if there are none. */
export async function findItemOwners(db: Database, spaceId: number): Promise<ItemOwner[]> {
  const owners = await findTopOwners(db, spaceId)
  return owners.length > 0 ? owners : findOwners(db, spaceId, 'f.space_id = s.id')
}

export async function isAllOf(db: Database, spaceId: number, userId: number): Promise<boolean> {
  const owners = await findItemOwners(db, spaceId)
  return owners.length === 1 && owners[0]?.id === userId
}

/** The users who are as old as a space. One of them was its first owner, unless fsck has made it. */
export const findMadeWith = (db: Database, spaceId: number): Promise<Omit<ItemOwner, 'items'>[]> =>
  db.rows(
    'SELECT u.id, u.username FROM spaces s JOIN users u ON u.created_at = s.created_at WHERE s.id = $1 ORDER BY u.id',
    [spaceId],
  )

/** The one of two users with whom a space was made; undefined if that is none of them, or cannot be told. */
export async function findFirstOwner(db: Database, spaceId: number, ids: readonly number[]) {
  const [first, ...others] = (await findMadeWith(db, spaceId)).filter(({ id }) => ids.includes(id))
  return others.length > 0 ? undefined : first?.id
}

async function countItems(db: Database, spaceId: number, userId: number): Promise<number> {
  const sql = 'SELECT COUNT(*) AS items FROM files WHERE space_id = $1 AND owner_id = $2'
  return (await db.row<{ items: number }>(sql, [spaceId, userId]))?.items ?? 0
}

/** Nobody shares with the owner. */
const isSharedWith = async (db: Database, spaceId: number, userId: number): Promise<boolean> =>
  (await db.row('SELECT id FROM shares WHERE space_id = $1 AND user_id = $2 LIMIT 1', [spaceId, userId])) !== undefined

/** Weighs more than any number of items. */
export const proof = Number.POSITIVE_INFINITY

/**
 * How much says that a space is a user's rather than its owner's: its time proves it, else its items count. Null: that
 * is wrong or unclear.
 */
export async function weigh(db: Database, space: PersonalSpace, userId: number): Promise<number | null> {
  const first = await findFirstOwner(db, space.id, [space.owner_id, userId])
  if (first !== undefined) return first === userId ? proof : null
  const owners = await findItemOwners(db, space.id)
  if (owners.length === 0) return 0
  const isClear = owners.length === 1 && owners[0]?.id === userId && !(await isSharedWith(db, space.id, userId))
  if (!isClear) return null
  const claimed = await countItems(db, space.id, userId)
  return claimed > (await countItems(db, space.id, space.owner_id)) ? claimed : null
}
