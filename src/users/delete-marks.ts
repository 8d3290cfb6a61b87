/** Deletes a user's tags and favorites in slices: on others' items, which stay, there may be very many. */
import { setTimeout } from 'node:timers/promises'
import type { SliceWrite } from '../access/confirmed-write.ts'
import type { Database } from '../db/database.ts'
import { deleteLinks } from '../db/delete-links.ts'
import { pauseTime } from '../files/slices.ts'

/** Favorites deleted by one write, as many as links of a tag. */
const favoritesAtOnce = 2000

/** Deletes some favorites inside a write; returns whether there were any. */
async function deleteFavorites(db: Database, userId: number): Promise<boolean> {
  const last = await db.row<{ file_id: number }>(
    `SELECT MAX(v.file_id) AS file_id FROM
       (SELECT file_id FROM favorites WHERE user_id = $1 ORDER BY file_id LIMIT ${favoritesAtOnce}) v`,
    [userId],
  )
  const deleted = await db.change('DELETE FROM favorites WHERE user_id = $1 AND file_id <= $2', [
    userId,
    last?.file_id ?? 0,
  ])
  return deleted > 0
}

/** Deletes some links of a tag inside a write, and with the last the tag; returns whether there was a tag. */
async function deleteTagged(db: Database, userId: number): Promise<boolean> {
  const tag = await db.row<{ id: number }>('SELECT id FROM tags WHERE owner_id = $1 ORDER BY id LIMIT 1', [userId])
  if (tag !== undefined) await deleteLinks(db, { table: 'tags', id: tag.id, spaceId: null })
  return tag !== undefined
}

/** Whether a user has so many tags and favorites that they do not fit in one write. */
export async function hasManyMarks(db: Database, userId: number): Promise<boolean> {
  const count = async (from: string) =>
    (await db.rows(`SELECT 1 AS one FROM ${from} LIMIT ${favoritesAtOnce + 1}`, [userId])).length
  const favorites = await count('favorites WHERE user_id = $1')
  const tagged = await count('tags t JOIN file_tags ft ON ft.tag_id = t.id WHERE t.owner_id = $1')
  return favorites + tagged > favoritesAtOnce
}

/** Deletes all tags and favorites of a user who may do nothing any more, in slices. Throws as `write`. */
export async function deleteMarks(db: Database, write: SliceWrite, userId: number): Promise<void> {
  const slice = (): Promise<boolean> =>
    write(async record => {
      record.nothing()
      return (await deleteFavorites(db, userId)) || deleteTagged(db, userId)
    })
  while (await slice()) await setTimeout(pauseTime)
}
