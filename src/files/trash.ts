/**
 * The trash: items that are trashed together are restored together. The trashed item gets deleted_at, and its own id as
 * trash_root_id. Items below it get only trash_root_id, which is in no index but its own. Their entries in folder
 * lists, name and search indexes therefore stay unchanged; the trashed folder or the mark hides them.
 */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { isLive, listedRow } from '../access/policy.ts'
import { type Abilities, everything, type Need } from '../access/standing.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { ItemList } from '../api/items.ts'
import { maxTreeDepth } from '../api/limits.ts'
import type { listTrash as endpoint } from '../api/trash.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Recorder } from '../db/recorder.ts'
import { type Found, findAny, findFolder, findItem } from './find.ts'
import { findHeight, findIfLive } from './find-in-space.ts'
import { findFreeName } from './free-name.ts'
import { nameColumns } from './item-name.ts'
import { type ItemLists, readItemPage } from './item-page.ts'
import type { DetailsRow, ItemRow } from './item-row.ts'
import { lockSpaceOf } from './lock-spaces.ts'
import { findAncestors, findFoldersAbove } from './paths.ts'
import { ownerAt } from './top-folder.ts'

/**
 * The live item $1 of space $2 and all live items below it, read from an index of live_parent alone. It looks only into
 * folders. CROSS JOIN keeps SQLite from reading the whole space for each of them.
 */
const liveTree = `WITH RECURSIVE folders (id) AS (
  SELECT $1
  UNION ALL
  SELECT f.id FROM folders CROSS JOIN files f
    ON f.space_id = $2 AND f.live_parent = folders.id AND f.is_directory = 1)
  SELECT $1 AS id
  UNION ALL
  SELECT f.id FROM folders CROSS JOIN files f ON f.space_id = $2 AND f.live_parent = folders.id`

/**
 * Marks the tree in one statement. MariaDB reads the whole table for `IN (WITH …)`; SQLite lacks this form of UPDATE.
 */
const markTree = {
  sqlite: `UPDATE files SET trash_root_id = $1 WHERE id IN (${liveTree})`,
  mariadb: `UPDATE files JOIN (${liveTree}) tree ON tree.id = files.id SET trash_root_id = $1`,
}

/** The condition for rows that are marked by trash_root_id alone. */
const along = 'trash_root_id = $1 AND deleted_at IS NULL'

/**
 * Subtracts the items trashed with an item from type_counts, or adds them back; the triggers do not
 * (migrations/count-triggers.ts).
 */
function countAlong(db: Database, id: number, sign: '-' | '+'): Promise<unknown> {
  const onTaken = {
    sqlite:
      'ON CONFLICT (space_id, is_directory, mime_type) DO UPDATE SET items = items + excluded.items, bytes = bytes + excluded.bytes',
    mariadb: 'ON DUPLICATE KEY UPDATE items = items + VALUES(items), bytes = bytes + VALUES(bytes)',
  }
  return db.change(
    `INSERT INTO type_counts (space_id, is_directory, mime_type, items, bytes)
     SELECT space_id, is_directory, COALESCE(mime_type, ''), 0 ${sign} COUNT(*), 0 ${sign} SUM(size)
       FROM files WHERE ${along} GROUP BY space_id, is_directory, COALESCE(mime_type, '')
     ${onTaken[db.dialect]}`,
    [id],
  )
}

/**
 * Moves a live item and all live items below it to the trash, inside a write that holds the lock of its space. Returns
 * the item as it is then.
 */
export async function trashItem<Row extends ItemRow>(db: Database, record: Recorder, item: Row): Promise<Row> {
  const marks = { deleted_at: Date.now(), trash_root_id: item.id }
  await db.change(markTree[db.dialect], [item.id, item.space_id])
  await countAlong(db, item.id, '-')
  await db.change('UPDATE files SET deleted_at = $2 WHERE id = $1', [item.id, marks.deleted_at])
  record('file.trash', { id: item.id, spaceId: item.space_id }, { name: item.name, parent_id: item.parent_id })
  return { ...item, ...marks }
}

/**
 * The same in a write of its own. Returns the trashed item, which who took back a hand-in does not find any more. Throws
 * `not_found` and `forbidden`.
 */
export function trashFile(db: Database, actor: Actor, id: number): Promise<Found<DetailsRow>> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, id)
    return trashItem(db, record, await findItem(db, actor, id, 'trash'))
  })
}

/** An item that the trash lists. Throws `not_found`, `forbidden`, and `not_trashed` for a live one. */
export async function findTrashed(db: Database, actor: Actor, id: number, need: Need): Promise<Found<ItemRow>> {
  const item = await findAny(db, actor, id, need)
  if (isLive(item)) throw new AppError('not_trashed', 'This item is not in the trash')
  if (item.trash_root_id !== item.id) throw notFound('File')
  return item
}

/**
 * The folder to which an item is restored: the one it came from, or the nearest live one above it, as far as the place
 * reaches through which the actor acts; else, or if that one is too deep for the item, the root of that place. Throws `forbidden` if the actor may not change it.
 */
async function findPlace(db: Database, actor: Actor, item: Found<ItemRow>): Promise<number | null> {
  const { rootId } = item.standing
  const ancestors = item.parent_id === null ? [] : await findAncestors(db, { folderId: item.parent_id, rootId })
  const height = await findHeight(db, item)
  const depth = rootId === null ? 0 : (await findFoldersAbove(db, rootId)).length
  for (const [above, { id }] of [...ancestors.entries()].reverse()) {
    if ((await findIfLive(db, item.space_id, id)) === undefined) continue
    if (depth + above + 1 + height > maxTreeDepth) break
    return (await findFolder(db, actor, id, 'change')).folderId
  }
  return rootId === null ? null : (await findFolder(db, actor, rootId, 'change')).folderId
}

/**
 * Makes all rows live that have a trash root, inside a write that holds the lock of their space. What was trashed with a
 * folder, or copied, changes in the index of trash roots alone.
 */
export async function showTree(db: Database, rootId: number): Promise<void> {
  await countAlong(db, rootId, '+')
  await db.change(`UPDATE files SET trash_root_id = NULL WHERE ${along}`, [rootId])
  // The trashed item itself, copies that were renamed, and what was trashed when all rows of a tree still got deleted_at.
  await db.change('UPDATE files SET deleted_at = NULL, trash_root_id = NULL WHERE trash_root_id = $1', [rootId])
}

/** Brings back an item and what was trashed with it, under a free name. Throws `not_found` and `not_trashed`. */
export function restoreFile(db: Database, actor: Actor, id: number): Promise<void> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, id)
    const item = await findTrashed(db, actor, id, 'trash')
    const parentId = await findPlace(db, actor, item)
    const isDirectory = item.is_directory === 1
    const name = await findFreeName(db, item.space_id, parentId, item.name, isDirectory)
    const { owner_id = item.owner_id } = ownerAt(actor, item, parentId)
    if (name !== item.name || parentId !== item.parent_id || owner_id !== item.owner_id) {
      const place = { ...nameColumns(name, isDirectory), owner_id, parent_id: parentId, updated_at: Date.now() }
      await db.update(db.files, place, item.id)
    }
    await showTree(db, item.id)
    record('file.restore', { id: item.id, spaceId: item.space_id }, { name, parent_id: parentId })
  })
}

/**
 * The space whose trash the actor may list or empty, and what they may do there: their own, or that of a team folder.
 * Throws `not_found`, `forbidden`, and `invalid_input` for another folder.
 */
export async function findTrashSpace(
  db: Database,
  actor: Actor,
  folderId: number | null | undefined,
  need: Need,
): Promise<{ spaceId: number; abilities: Abilities }> {
  if (folderId === null || folderId === undefined) return { spaceId: actor.root.spaceId, abilities: everything }
  const { folder, spaceId, standing } = await findFolder(db, actor, folderId, need)
  const team = await db.row("SELECT id FROM spaces WHERE id = $1 AND kind = 'team'", [spaceId])
  if (team === undefined || folder?.parent_id !== null) throw invalidField('folder_id', 'Expected a team folder')
  return { spaceId, abilities: standing.here }
}

/**
 * Lists items that were trashed themselves, newest first, but not those that were trashed with their folder. Throws as
 * `findTrashSpace`.
 */
export async function listTrash(
  lists: ItemLists,
  actor: Actor,
  { folder_id, ...input }: ParsedInputOf<typeof endpoint>,
): Promise<ItemList> {
  const { spaceId, abilities } = await findTrashSpace(lists.db, actor, folder_id, 'change')
  return readItemPage(
    lists,
    actor,
    {
      list: folder_id == null ? 'trash' : `trash ${folder_id}`,
      condition: `f.space_id = $1 AND f.deleted_at IS NOT NULL AND f.trash_root_id = f.id
        AND ${listedRow(abilities, '$2')}`,
      values: [spaceId, actor.userId],
      // All columns of the index: MariaDB would sort the whole trash by fewer of them.
      index: 'files_recent',
      columns: ['f.deleted_at', 'f.is_directory', 'f.updated_at', 'f.id'],
      form: ['number', 'number', 'number', 'number'],
      position: row => [row.deleted_at ?? 0, row.is_directory, row.updated_at, row.id],
      order: 'desc',
    },
    input,
  )
}
