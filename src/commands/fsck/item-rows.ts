/** The rows of files and folders with what they refer to, and inconsistencies in them. */
import { isLive } from '../../access/policy.ts'
import { nameProblem } from '../../api/names.ts'
import type { Database } from '../../db/database.ts'
import { fold, sortKey } from '../../db/fold.ts'
import type { IdRange } from './pages.ts'

export interface CheckedItem {
  id: number
  space_id: number
  owner_id: number
  parent_id: number | null
  name: string
  /** Bytes on MariaDB. */
  name_folded: string | Buffer
  sort_key: string
  is_directory: 0 | 1
  size: number
  mime_type: string | null
  blob_id: number | null
  deleted_at: number | null
  trash_root_id: number | null
  blob_size: number | null
  /** From here on null means that the row it refers to does not exist. */
  owner: number | null
  space_owner: number | null
  /** The owner of the space, as a row of users. */
  heir: number | null
  space_kind: string | null
  parent_space: number | null
  parent_is_directory: 0 | 1 | null
  parent_deleted_at: number | null
  parent_trash_root: number | null
  root_space: number | null
  root_deleted_at: number | null
  root_trash_root: number | null
}

const query = `SELECT f.id, f.space_id, f.owner_id, f.parent_id, f.name, f.name_folded, f.sort_key, f.is_directory, f.size,
    f.mime_type, f.blob_id, f.deleted_at, f.trash_root_id, b.size AS blob_size, o.id AS owner, s.owner_id AS space_owner, h.id AS heir, s.kind AS space_kind, p.space_id AS parent_space,
    p.is_directory AS parent_is_directory, p.deleted_at AS parent_deleted_at, p.trash_root_id AS parent_trash_root,
    r.space_id AS root_space, r.deleted_at AS root_deleted_at, r.trash_root_id AS root_trash_root
  FROM files f LEFT JOIN blobs b ON b.id = f.blob_id LEFT JOIN files p ON p.id = f.parent_id
    LEFT JOIN files r ON r.id = f.trash_root_id LEFT JOIN spaces s ON s.id = f.space_id
    LEFT JOIN users o ON o.id = f.owner_id LEFT JOIN users h ON h.id = s.owner_id
  WHERE f.id > $1 AND f.id <= $2 ORDER BY f.id`

export const findChecked = (db: Database, { after, upTo }: IdRange): Promise<CheckedItem[]> =>
  db.rows<CheckedItem>(query, [after, upTo])

/** Whether the columns have valid types: a damaged SQLite file may contain NULL and bytes. */
export const isReadable = ({ name, name_folded, sort_key, ...rest }: CheckedItem): boolean =>
  typeof name === 'string' &&
  (typeof name_folded === 'string' || Buffer.isBuffer(name_folded)) &&
  typeof sort_key === 'string' &&
  [rest.id, rest.space_id, rest.size].every(Number.isSafeInteger)

/** Reads the row again. */
export const findCheckedItem = async (db: Database, id: number): Promise<CheckedItem | undefined> =>
  (await findChecked(db, { after: id - 1, upTo: id }))[0]

export type ItemProblem =
  | 'file-without-content'
  | 'file-size'
  | 'foreign-owner'
  | 'owner-missing'
  | 'name-unusable'
  | 'name-columns'
  | 'parent-missing'
  | 'parent-in-another-space'
  | 'parent-no-folder'
  | 'parent-trashed'
  | 'trash-mark'
  | 'trash-root'
  | 'unlisted'

/** The problem as the rest of a sentence about the item. */
export const problemDetails: Record<ItemProblem, string> = {
  'file-without-content': 'it names no content',
  'file-size': 'its size is not that of its content',
  'foreign-owner': 'it is a folder at the top of a storage, and its owner is another user than that of the storage',
  'owner-missing': 'its owner is missing',
  'name-unusable': 'its name can be none: empty, too long, . or .., or with / or a control character in it',
  'name-columns': 'what it is found and ordered by is not that of its name',
  'parent-missing': 'the folder it stands in is missing',
  'parent-in-another-space': 'the folder it stands in is of another storage',
  'parent-no-folder': 'what it stands in is no folder',
  'parent-trashed': 'the folder it stands in is in the trash, and it is not',
  'trash-mark': 'it is marked as trashed with another, and is not in the trash',
  'trash-root': 'what it was trashed with is not in the trash, so that no list shows it',
  unlisted: 'no list shows it, and nothing is at work on it',
}

const contentProblem = (item: CheckedItem): ItemProblem | null => {
  // A row without type and content is a folder, whatever it says; rows.ts reports that.
  if (item.is_directory === 1 || (item.blob_id === null && item.mime_type === null)) return null
  if (item.blob_size === null) return 'file-without-content'
  return item.size === item.blob_size ? null : 'file-size'
}

const isParentTrashed = ({ parent_deleted_at, parent_trash_root }: CheckedItem): boolean =>
  parent_deleted_at !== null || parent_trash_root !== null

const parentProblem = (item: CheckedItem): ItemProblem | null => {
  if (item.parent_id === null) return null
  if (item.parent_space === null) return 'parent-missing'
  if (item.parent_is_directory !== 1) return 'parent-no-folder'
  if (item.parent_space !== item.space_id) return 'parent-in-another-space'
  return isLive(item) && isParentTrashed(item) ? 'parent-trashed' : null
}

/**
 * The trash root of the item's folder, which for the root of an unlisted tree is the folder itself; null for a live
 * folder.
 */
export const parentTrashRoot = (item: CheckedItem): number | null =>
  isParentTrashed(item) ? (item.parent_trash_root ?? item.parent_id) : null

/**
 * Whether an item with its own deleted_at has the mark of a tree that it is not in. Only older releases, and copies, gave
 * deleted_at to what is below a trash root, too. A problem of its folder is repaired first.
 */
const isTrashedApart = (item: CheckedItem): boolean =>
  item.trash_root_id !== item.id && parentProblem(item) === null && parentTrashRoot(item) !== item.trash_root_id

/**
 * An item that the trash lists is its own trash root. The root of an unlisted tree (files/delete/tree.ts) has none, and
 * the items below it have that root. An item without its own deleted_at is hidden by its folder.
 */
const trashProblem = (item: CheckedItem): ItemProblem | null => {
  if (isLive(item)) return null
  if (item.trash_root_id === null) return 'unlisted'
  if (item.deleted_at === null) {
    // A problem of its folder is repaired first.
    if (parentProblem(item) !== null) return null
    if (!isParentTrashed(item)) return 'trash-mark'
    if (parentTrashRoot(item) !== item.trash_root_id) return 'trash-root'
  }
  // Another one's restoring would bring it back, and no list shows it.
  if (item.deleted_at !== null && isTrashedApart(item)) return 'trash-root'
  const isRoot = item.root_trash_root === item.trash_root_id || item.root_trash_root === null
  const stands = item.root_space === item.space_id && item.root_deleted_at !== null && isRoot
  return stands ? null : 'trash-root'
}

/**
 * Any user may own an item in any storage: they may have put it there while it was shared with them. Only the folders at
 * the top of a personal one are its owner's.
 */
function ownerProblem(item: CheckedItem): ItemProblem | null {
  const { owner, owner_id, space_owner, space_kind } = item
  if (space_owner === null) return null
  if (owner === null) return 'owner-missing'
  const isAtTop = space_kind === 'personal' && item.parent_id === null && item.is_directory === 1 && isLive(item)
  return isAtTop && owner_id !== space_owner ? 'foreign-owner' : null
}

/** An invalid name is repaired first, together with its columns. */
function wrongName({ name, name_folded, sort_key }: CheckedItem): ItemProblem | null {
  if (nameProblem(name) !== null) return 'name-unusable'
  return name_folded.toString() === fold(name) && sort_key === sortKey(name) ? null : 'name-columns'
}

/** All problems that the row and the rows it refers to show. */
export const findProblems = (item: CheckedItem): ItemProblem[] =>
  [contentProblem(item), ownerProblem(item), wrongName(item), parentProblem(item), trashProblem(item)].filter(
    problem => problem !== null,
  )
