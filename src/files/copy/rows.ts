/** Copies rows inside a write. A copy refers to the same content, so it takes rows but no bytes in the store. */
import type { Abilities } from '../../access/standing.ts'
import type { ValidationStatus } from '../../api/items.ts'
import { type Bind, DamageError } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { createBinds } from '../../db/keyset.ts'
import type { FileRow, NewFile } from '../../db/models/files.ts'
import { isOneOf } from '../../db/values.ts'
import { nameColumns } from '../item-name.ts'
import type { ItemRow } from '../item-row.ts'

/** The ids of an item and its copy. */
export interface Pair {
  source: number
  copy: number
}

/** The values that all rows of one copy have in common. */
export interface CopyTerms {
  /** The space of the copies. */
  spaceId: number
  /** The space of their sources. */
  sourceSpaceId: number
  ownerId: number
  /** What the copier may do at the source: what is not shown to them is not copied. */
  abilities: Abilities
  /** 0: the copy is a hand-in into a drop box. */
  receivedBy: 0 | null
  /** The validation status of copies whose source is not approved. */
  status: ValidationStatus
  /** Start time of the copy in ms. */
  at: number
}

const statusOf = (
  { is_directory, validation_status }: Pick<ItemRow, 'is_directory' | 'validation_status'>,
  { status }: CopyTerms,
): ValidationStatus => (is_directory === 1 || validation_status === 'approved' ? 'approved' : status)

/** The row of a single item's copy under the given name. */
export const copyOf = (item: ItemRow, terms: CopyTerms, parentId: number | null, name: string): NewFile => ({
  space_id: terms.spaceId,
  owner_id: terms.ownerId,
  parent_id: parentId,
  ...nameColumns(name, item.is_directory === 1),
  is_directory: item.is_directory,
  size: item.size,
  blob_id: item.blob_id,
  received_by: terms.receivedBy,
  validation_status: statusOf(item, terms),
  modified_at: item.modified_at,
  created_at: terms.at,
  updated_at: terms.at,
})

/** `CASE column WHEN source THEN copy … END`. */
const copyCase = (column: string, pairs: readonly Pair[], add: (value: Bind) => string): string =>
  `CASE ${column} ${pairs.map(({ source, copy }) => `WHEN ${add(source)} THEN ${add(copy)}`).join(' ')} END`

type Copied =
  | 'name'
  | 'name_folded'
  | 'sort_key'
  | 'is_directory'
  | 'size'
  | 'mime_type'
  | 'blob_id'
  | 'validation_status'
  | 'modified_at'

interface CopiedRow extends Pick<FileRow, Copied> {
  /** The copy of its folder. */
  copy_parent: number
  is_taken: 0 | 1
}

/**
 * Copies items into the copies of their folders; the new rows belong to the unlisted tree of `rootId`. They are marked by
 * trash_root_id alone, like what was trashed with a folder, so that the write that shows them changes no other index. A
 * name that the folder's copy has already, because items were renamed meanwhile, gets deleted_at too: names are unique
 * among rows without it. Throws DamageError if a row is in none of the folders, which an index has told otherwise.
 */
export async function insertCopies(
  db: Database,
  terms: CopyTerms,
  rootId: number,
  folders: readonly Pair[],
  ids: readonly number[],
): Promise<void> {
  const { values, add } = createBinds(...ids)
  const parent = copyCase('f.parent_id', folders, add)
  const isTaken = `EXISTS (SELECT 1 FROM files c
    WHERE c.space_id = ${add(terms.spaceId)} AND c.live_parent = ${parent} AND c.name = f.name)`
  // `+ 0` keeps SQLite from asking an index, which may have an item in a folder that it has left.
  const isInside = `f.parent_id + 0 IN (${folders.map(({ source }) => add(source)).join(', ')})`
  const sources = await db.rows<CopiedRow>(
    `SELECT ${parent} AS copy_parent, f.name, f.name_folded, f.sort_key, f.is_directory, f.size, f.mime_type, f.blob_id,
       f.validation_status, f.modified_at, ${isTaken} AS is_taken
     FROM files f WHERE ${isOneOf('f.id', ids)} AND ${isInside}`,
    values,
  )
  if (sources.length !== ids.length) {
    throw new DamageError('an index has an item in a folder, and its row has not: run filestore fsck')
  }
  // Not by INSERT … SELECT: MariaDB would keep the ids of the table to itself while it waits for a content's row, which an
  // upload may hold that waits for an id.
  await db.insertAll(
    db.files,
    sources.map(({ copy_parent, is_taken, validation_status, ...source }) => ({
      ...source,
      space_id: terms.spaceId,
      owner_id: terms.ownerId,
      parent_id: copy_parent,
      validation_status: statusOf({ ...source, validation_status }, terms),
      deleted_at: is_taken === 1 ? terms.at : null,
      trash_root_id: rootId,
      created_at: terms.at,
      updated_at: terms.at,
    })),
  )
}

/** The pairs whose source has tags or metadata. */
async function findMarked(db: Database, pairs: readonly Pair[]): Promise<Pair[]> {
  const sources = pairs.map(({ source }) => source)
  const rows = await db.rows<{ file_id: number }>(
    `SELECT file_id FROM file_tags WHERE ${isOneOf('file_id', sources)}
     UNION SELECT file_id FROM file_metadata WHERE ${isOneOf('file_id', sources)}`,
    sources,
  )
  const marked = new Set(rows.map(row => row.file_id))
  return pairs.filter(({ source }) => marked.has(source))
}

/** Bytes that a copied tag counts as: with these, ten count as one change, as where they are set. */
const tagBytes = 103

/**
 * Maps item ids to the bytes of what a copy has besides its row: the metadata, and the tags of the copies' owner. An item
 * without them has no entry. CROSS JOIN keeps SQLite from looking for each of the owner's tags on each item.
 */
export async function findMarkSizes(
  db: Database,
  ownerId: number,
  ids: readonly number[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ file_id: number; bytes: number }>(
    `SELECT file_id, SUM(OCTET_LENGTH(value) + OCTET_LENGTH(value_folded)) AS bytes FROM file_metadata
     WHERE ${isOneOf('file_id', ids)} GROUP BY file_id`,
    ids,
  )
  const tagged = await db.rows<{ file_id: number; tags: number }>(
    `SELECT m.file_id, COUNT(*) AS tags FROM file_tags m CROSS JOIN tags t ON t.id = m.tag_id AND t.owner_id = $1
     WHERE ${isOneOf('m.file_id', ids, 2)} GROUP BY m.file_id`,
    [ownerId, ...ids],
  )
  const sizes = new Map(rows.map(({ file_id, bytes }) => [file_id, bytes]))
  for (const { file_id, tags } of tagged) sizes.set(file_id, (sizes.get(file_id) ?? 0) + tags * tagBytes)
  return sizes
}

/**
 * Copies the metadata of the sources, and those of their tags that belong to the copies' owner. CROSS JOIN keeps SQLite
 * from looking for each of the owner's tags on each source.
 */
export async function copyMarks(db: Database, ownerId: number, pairs: readonly Pair[]): Promise<void> {
  const marked = await findMarked(db, pairs)
  if (marked.length === 0) return
  const sources = marked.map(({ source }) => source)
  const { values, add } = createBinds(...sources)
  const copy = copyCase('m.file_id', marked, add)
  const ofSources = `WHERE ${isOneOf('m.file_id', sources)}`
  await db.change(
    `INSERT INTO file_tags (tag_id, file_id) SELECT m.tag_id, ${copy} FROM file_tags m
       CROSS JOIN tags t ON t.id = m.tag_id AND t.owner_id = $${values.length + 1} ${ofSources}`,
    [...values, ownerId],
  )
  await db.change(
    `INSERT INTO file_metadata (file_id, field_id, value, value_folded)
     SELECT ${copy}, m.field_id, m.value, m.value_folded FROM file_metadata m ${ofSources}`,
    values,
  )
}
