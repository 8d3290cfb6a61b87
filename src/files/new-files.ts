/** Inserts new files, one or a few dozen at a time; all rows of files with newly received bytes are made here. */
import type { ValidationStatus } from '../api/items.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { NewFile as FileInsert } from '../db/models/files.ts'
import { type CheckedValue, saveValues } from '../metadata/values.ts'
import { findKnownBlobs, isInline, type KnownBlob, saveBlob, saveInlineBlobs } from './content.ts'
import { nameColumns } from './item-name.ts'
import type { ItemRow } from './item-row.ts'
import type { UnnamedBytes } from './removals.ts'
import { charge } from './space.ts'

export interface NewFile {
  /** A live folder of the space; null: its root. */
  parentId: number | null
  /** Free in that folder. */
  name: string
  blob: ReceivedBlob
  /** ms, UTC; null if not given. */
  modifiedAt: number | null
  status: ValidationStatus
}

/** Properties that a file from another system may bring along. */
export interface FileMarks {
  comment?: string | null
  isFavorite?: boolean
  tagIds?: readonly number[]
  values?: readonly CheckedValue[]
}

/** The space and the owner of the new files. */
interface Target {
  spaceId: number
  ownerId: number
  /** 0: a hand-in into a drop box; above: the id of the link by which it came. */
  receivedBy?: number | null
}

/** The row of a new file, with all columns that present it. */
type NewFileRow = FileInsert & ItemRow

interface InsertedFiles {
  /** In the same order as the files. */
  rows: NewFileRow[]
  /** Bytes in the store that no row refers to after the commit. */
  unnamed: UnnamedBytes[]
  /** Bytes whose contents have others after the commit. */
  outdated: UnnamedBytes[]
}

/** Saves the rows of contents; returns the row ids by SHA-256. */
async function saveContents(db: Database, blobs: readonly ReceivedBlob[], known?: readonly KnownBlob[]) {
  const small = blobs.filter(isInline)
  const ids =
    small.length === 0
      ? new Map<string, number>()
      : await saveInlineBlobs(db, small, known ?? (await findKnownBlobs(db, small)))
  const unnamed: UnnamedBytes[] = []
  const outdated: UnnamedBytes[] = []
  // Sort by hash, so that two writes of the same contents cannot deadlock.
  const large = blobs.filter(blob => !isInline(blob)).toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  for (const blob of large) {
    const saved = await saveBlob(db, blob)
    ids.set(blob.sha256, saved.id)
    unnamed.push(...saved.unnamed)
    outdated.push(...saved.outdated)
  }
  return { ids, unnamed, outdated }
}

function rowOf({ spaceId, ownerId, receivedBy }: Target, file: NewFile & FileMarks, blobId: number) {
  const now = Date.now()
  return {
    space_id: spaceId,
    owner_id: ownerId,
    parent_id: file.parentId,
    ...nameColumns(file.name, false),
    is_directory: 0 as const,
    size: file.blob.size,
    blob_id: blobId,
    received_by: receivedBy ?? null,
    content_by: null,
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
 * Adds files to a space, all or none. The caller's write must hold the space's lock, must have checked that the folders
 * are live and the names free, and records the events. Throws `quota_exceeded`, and the database's error for a taken
 * name; the caller must then remove the bytes. `known` are rows of small contents, if they were already looked up.
 */
export async function insertFiles(
  db: Database,
  target: Target,
  files: readonly (NewFile & FileMarks)[],
  known?: readonly KnownBlob[],
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
    outdated: saved.outdated,
  }
}
