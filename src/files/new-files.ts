/** Writes new files, one or a few dozen at a time: the one way in which a row of a file begins that has bytes of its own. */
import type { ValidationStatus } from '../api/items.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { NewFile as FileInsert } from '../db/models/files.ts'
import { type CheckedValue, saveValues } from '../metadata/values.ts'
import { findKnownBlobs, type InlineBlob, type KnownBlob, type Replaced, saveBlob, saveInlineBlobs } from './content.ts'
import type { ItemRow } from './find.ts'
import { nameColumns } from './item-name.ts'
import { charge } from './space.ts'

export interface NewFile {
  /** A live folder of the space; null: its root. */
  parentId: number | null
  /** Free in that folder. */
  name: string
  blob: ReceivedBlob
  /** ms, UTC; null where nobody said. */
  modifiedAt: number | null
  status: ValidationStatus
}

/** What a file may bring along that comes from elsewhere. */
export interface FileMarks {
  comment?: string | null
  isFavorite?: boolean
  tagIds?: readonly number[]
  values?: readonly CheckedValue[]
}

/** Whose files they are, and where. */
interface Target {
  spaceId: number
  ownerId: number
}

/** What was found out before the write, or beside other look-ups of it. */
interface Known {
  /** By the keys of the blobs: what findReplacedBytes has found. */
  replacedBytes?: ReadonlyMap<string, Replaced | null>
  /** The rows of small contents, where they were looked up already. */
  blobs?: readonly KnownBlob[]
}

/** All that a new file shows of itself. */
type NewFileRow = FileInsert & ItemRow

interface InsertedFiles {
  /** In the order of the files. */
  rows: NewFileRow[]
  /** Keys of the store that nothing names once the write is committed. */
  unnamed: string[]
  /** Keys whose bytes others take the place of, with those others' keys. */
  renewed: [key: string, by: string][]
}

const isInline = (blob: ReceivedBlob): blob is InlineBlob => blob.inline !== null

/** Gives contents their rows; the rows' ids by SHA-256. */
async function saveContents(db: Database, blobs: readonly ReceivedBlob[], { replacedBytes, blobs: known }: Known) {
  const small = blobs.filter(isInline)
  const ids =
    small.length === 0
      ? new Map<string, number>()
      : await saveInlineBlobs(db, small, known ?? (await findKnownBlobs(db, small)))
  const unnamed: string[] = []
  const renewed: [string, string][] = []
  // In the order of their hashes, so that two writes of the same contents wait for each other and not in a circle.
  const large = blobs.filter(blob => !isInline(blob)).toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  for (const blob of large) {
    const saved = await saveBlob(db, blob, replacedBytes?.get(blob.key) ?? null)
    ids.set(blob.sha256, saved.id)
    unnamed.push(...saved.unnamed)
    if (saved.renewed !== null) renewed.push([saved.renewed, blob.key])
  }
  return { ids, unnamed, renewed }
}

function rowOf({ spaceId, ownerId }: Target, file: NewFile & FileMarks, blobId: number) {
  const now = Date.now()
  return {
    space_id: spaceId,
    owner_id: ownerId,
    parent_id: file.parentId,
    ...nameColumns(file.name, false),
    is_directory: 0 as const,
    size: file.blob.size,
    blob_id: blobId,
    is_favorite: file.isFavorite ? (1 as const) : (0 as const),
    validation_status: file.status,
    validation_comment: file.comment ?? null,
    modified_at: file.modifiedAt,
    deleted_at: null,
    trash_root_id: null,
    created_at: now,
    updated_at: now,
  }
}

async function addMarks(db: Database, id: number, { tagIds = [], values = [] }: FileMarks): Promise<void> {
  if (tagIds.length > 0) {
    await db.insertAll(
      db.fileTags,
      tagIds.map(tag_id => ({ tag_id, file_id: id })),
    )
  }
  await saveValues(db, id, values)
}

/**
 * Adds files to a space, all or none, inside a write that holds the space's lock and has found their folders live and
 * their names free; the events are the caller's. Throws `quota_exceeded`, and what the database does of a name that is
 * taken; the caller then removes the bytes.
 */
export async function insertFiles(
  db: Database,
  target: Target,
  files: readonly (NewFile & FileMarks)[],
  known: Known = {},
): Promise<InsertedFiles> {
  const blobs = files.map(({ blob }) => blob)
  const bytes = blobs.reduce((sum, { size }) => sum + size, 0)
  await charge(db, target.spaceId, bytes, files.length)
  const saved = await saveContents(db, blobs, known)
  const rows = files.map(file => rowOf(target, file, saved.ids.get(file.blob.sha256) as number))
  const ids = await db.insertIds(db.files, rows, ['parent_id', 'name'])
  for (const [index, file] of files.entries()) await addMarks(db, ids[index] as number, file)
  return {
    rows: rows.map((row, index) => ({ ...row, id: ids[index] as number })),
    unnamed: saved.unnamed,
    renewed: saved.renewed,
  }
}
