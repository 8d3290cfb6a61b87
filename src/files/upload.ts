/** Gives an upload that came in whole its place in the tree. */
import { type Actor, writeActor } from '../access/actor.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { itemName } from '../api/fields.ts'
import type { uploadFile as endpoint } from '../api/files.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { type Allowance, type ReceivedBlob, tooLarge } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { invalidField, nameTaken } from '../errors.ts'
import { dropBlob, saveBlob } from './content.ts'
import { findByName, findFolder, type ItemRow } from './find.ts'
import { findFreeName, nameColumns } from './item-name.ts'
import { charge, findLargestSize, findRoom, lockSpace, quotaExceeded } from './space.ts'

type UploadInput = ParsedInputOf<typeof endpoint>

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
 * Refuses, at the file's first byte, what can be refused by then: its folder, name and size, and the quota; gives back
 * how much may come. Folder and name count only where they were sent before the file; otherwise they may still come.
 */
export async function checkUpload(
  { db, config }: Deps,
  actor: Actor,
  input: UploadInput,
  contentLength: number | null,
): Promise<Allowance> {
  const least = (contentLength ?? 0) - formOverhead
  if (least > config.maxFileSize) throw tooLarge(config.maxFileSize)
  let taken: ItemRow | undefined
  if (input.parent_id !== undefined) {
    await findFolder(db, actor.spaceId, input.parent_id)
    if (input.name !== undefined) taken = await findByName(db, actor.spaceId, input.parent_id, input.name)
    const clash = input.on_conflict === 'fail' || (input.on_conflict === 'replace' && taken?.is_directory === 1)
    if (taken !== undefined && clash) throw nameTaken(taken.name)
  }
  const most = config.maxFileSize
  const room = await findRoom(db, actor.spaceId)
  const bytes = room >= most ? most : Math.max(0, room + (await findReturn(db, actor, input, taken)))
  if (least > bytes) throw quotaExceeded()
  return bytes < most ? { bytes, refusal: quotaExceeded() } : { bytes: most, refusal: tooLarge(most) }
}

/** Bytes that a replaced file gives back, at most: while rule or folder may still come it could be any file. */
async function findReturn(db: Database, actor: Actor, input: UploadInput, taken?: ItemRow): Promise<number> {
  const mayReplace = input.on_conflict === undefined || input.on_conflict === 'replace'
  if (!mayReplace) return 0
  if (input.on_conflict === 'replace' && taken !== undefined) return taken.size
  return findLargestSize(db, actor.spaceId)
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
  { db, store, log }: Pick<Deps, 'db' | 'store' | 'log'>,
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
    const rule = input.on_conflict ?? 'rename'
    const existing = rule === 'rename' ? undefined : await findByName(db, actor.spaceId, parentId, name)
    if (existing === undefined) {
      const freeName = await findFreeName(db, actor.spaceId, parentId, name, false)
      const done = await addFile(db, actor, parentId, freeName, input, blob)
      record('file.upload', { id: done.id, spaceId: actor.spaceId }, { name: freeName, size: blob.size })
      return done
    }
    if (rule === 'fail' || existing.is_directory === 1) throw nameTaken(name)
    const done = await replaceContent(db, existing, input, blob)
    record('file.replace', { id: done.id, spaceId: actor.spaceId }, { name, size: blob.size })
    return done
  })
  // The file is there, whatever becomes of these; the sweeper takes what is left.
  await removeAll(store, stored.unnamed).catch(error => log.warn({ err: error }, 'unnamed bytes stay in the store'))
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
