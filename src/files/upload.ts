/** Gives an upload that came in whole its place in the tree. */
import { type Actor, writeActor } from '../access/actor.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { itemName } from '../api/fields.ts'
import type { uploadFile as endpoint } from '../api/files.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { formatLimit, type ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { AppError, invalidField, nameTaken } from '../errors.ts'
import { dropBlob, saveBlob } from './content.ts'
import { findByName, findFolder, type ItemRow } from './find.ts'
import { findFreeName, nameColumns } from './item-name.ts'
import { charge, findRoom, lockSpace, quotaExceeded } from './space.ts'

export type UploadInput = ParsedInputOf<typeof endpoint>

/** Bytes that a form may need beside its file: eight fields of 64 KiB, and the parts' own headers. */
const formOverhead = 1024 ** 2

/** The name that an upload asks for: the field `name`, else the part's file name. Throws `invalid_input`. */
function uploadName(input: UploadInput, fileName: string): string {
  if (input.name !== undefined) return input.name
  const result = itemName.safeParse(fileName)
  if (!result.success) throw invalidField('name', result.error.issues[0]?.message ?? 'Name is required')
  return result.data
}

/**
 * Refuses, at the file's first byte, what can be refused by then: its folder, name and size, and the quota. The name
 * is looked up only where the folder was sent before the file; otherwise it may still come.
 */
export async function checkUpload(
  { db, config }: Deps,
  actor: Actor,
  input: UploadInput,
  fileName: string,
  contentLength: number | null,
): Promise<void> {
  const name = uploadName(input, fileName)
  const least = (contentLength ?? 0) - formOverhead
  if (least > config.maxFileSize) {
    throw new AppError('file_too_large', `File is larger than ${formatLimit(config.maxFileSize)}`)
  }
  if (input.parent_id !== undefined) {
    await findFolder(db, actor.spaceId, input.parent_id)
    const rule = input.on_conflict
    const taken = rule === 'rename' ? undefined : await findByName(db, actor.spaceId, input.parent_id, name)
    if (taken !== undefined && (rule === 'fail' || taken.is_directory === 1)) throw nameTaken(name)
    // What is replaced gives its own bytes back; the write knows how many.
    if (taken !== undefined) return
  }
  if (least > (await findRoom(db, actor.spaceId))) throw quotaExceeded()
}

interface Stored {
  id: number
  /** Keys of the store that nothing names any more. */
  unnamed: string[]
}

/**
 * Stores an upload; gives back the file's id. Throws `not_found`, `name_taken`, `quota_exceeded`; the caller then
 * removes the bytes.
 */
export async function uploadFile(
  { db, store }: Pick<Deps, 'db' | 'store'>,
  actor: Actor,
  input: UploadInput,
  fileName: string,
  blob: ReceivedBlob,
): Promise<number> {
  const name = uploadName(input, fileName)
  const stored = await db.write(writeActor(actor), async record => {
    await lockSpace(db, actor.spaceId)
    const parentId = input.parent_id ?? null
    await findFolder(db, actor.spaceId, parentId)
    const existing = input.on_conflict === 'rename' ? undefined : await findByName(db, actor.spaceId, parentId, name)
    if (existing === undefined) {
      const freeName = await findFreeName(db, actor.spaceId, parentId, name, false)
      const done = await addFile(db, actor, parentId, freeName, input, blob)
      record('file.upload', { id: done.id, spaceId: actor.spaceId }, { name: freeName, size: blob.size })
      return done
    }
    if (input.on_conflict === 'fail' || existing.is_directory === 1) throw nameTaken(name)
    const done = await replaceContent(db, existing, input, blob)
    record('file.replace', { id: done.id, spaceId: actor.spaceId }, { name, size: blob.size })
    return done
  })
  await removeAll(store, stored.unnamed)
  return stored.id
}

const modifiedAt = (input: UploadInput): number | null =>
  input.modified_at === undefined ? null : Date.parse(input.modified_at)

/** The upload's own bytes, where a row of equal content serves instead. */
const ownBytes = (blob: ReceivedBlob, namedKey: string): string[] =>
  blob.inline === null && namedKey !== blob.key ? [blob.key] : []

async function addFile(
  db: Database,
  actor: Actor,
  parentId: number | null,
  name: string,
  input: UploadInput,
  blob: ReceivedBlob,
): Promise<Stored> {
  await charge(db, actor.spaceId, blob.size, 1)
  const saved = await saveBlob(db, blob)
  const now = Date.now()
  const id = await db.insert(db.files, {
    space_id: actor.spaceId,
    owner_id: actor.userId,
    parent_id: parentId,
    ...nameColumns(name, false),
    is_directory: 0,
    size: blob.size,
    blob_id: saved.id,
    modified_at: modifiedAt(input),
    created_at: now,
    updated_at: now,
  })
  return { id, unnamed: ownBytes(blob, saved.key) }
}

/** The file keeps its id and all that hangs on it, and gets the new bytes. */
async function replaceContent(db: Database, file: ItemRow, input: UploadInput, blob: ReceivedBlob): Promise<Stored> {
  await charge(db, file.space_id, blob.size - file.size, 0)
  const saved = await saveBlob(db, blob)
  const content = { blob_id: saved.id, size: blob.size, modified_at: modifiedAt(input), updated_at: Date.now() }
  await db.files.update(content, { where: { id: file.id } })
  const dropped = file.blob_id === null ? null : await dropBlob(db, file.blob_id)
  return { id: file.id, unnamed: [...ownBytes(blob, saved.key), ...(dropped === null ? [] : [dropped])] }
}

async function removeAll(store: BlobStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) await store.remove(key)
}
