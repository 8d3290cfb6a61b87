/** Stores a completely received upload as a file in the tree. */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { itemName } from '../api/fields.ts'
import type { uploadFile as endpoint } from '../api/files.ts'
import type { ValidationStatus } from '../api/items.ts'
import { invalidField, nameTaken } from '../base/errors.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { Deps } from '../deps.ts'
import { admitValues, type CheckedValue, checkValues, requireValues, saveValues } from '../metadata/values.ts'
import { findSwitches } from '../settings/find.ts'
import { dropBlobs, findReplacedBytes, type Replaced, renewBytes, saveBlob } from './content.ts'
import { findByName, findFolder, type Place } from './find.ts'
import { findFreeName } from './free-name.ts'
import { initialStatus } from './initial-status.ts'
import type { ItemRow } from './item-row.ts'
import { insertFiles } from './new-files.ts'
import { charge } from './space.ts'

/** The dependencies of an upload. */
export type UploadDeps = 'db' | 'store' | 'freeSpace' | 'changes' | 'log' | 'removals'
export type UploadInput = ParsedInputOf<typeof endpoint>

/** The requested name of an upload: the field `name`, else the part's file name. Throws `invalid_input`. */
export function uploadName(input: UploadInput, fileName: string): string {
  if (input.name !== undefined) return input.name
  const result = itemName.safeParse(fileName)
  if (!result.success) throw invalidField('name', result.error.issues[0]?.message ?? 'Name is required')
  return result.data
}

interface Stored {
  id: number
  name: string
  /** Keys of the store that no row refers to any more. */
  unnamed: string[]
  /** The key whose bytes the upload's bytes replace. */
  renewed: string | null
}

/**
 * Stores an upload; returns the file's id. Throws `not_found`, `name_taken`, `quota_exceeded`, and `invalid_input`,
 * `storage_full` or `rate_limited` for its name or metadata; the caller must then remove the bytes.
 */
export async function uploadFile(
  { db, store, freeSpace, changes, log, removals }: Pick<Deps, UploadDeps>,
  actor: Actor,
  input: UploadInput,
  fileName: string,
  blob: ReceivedBlob,
): Promise<number> {
  const name = uploadName(input, fileName)
  await admitValues({ freeSpace, changes }, actor.userId, input.metadata ?? [])
  const parentId = input.parent_id ?? null
  const { spaceId } = await findFolder(db, actor, parentId, 'add')
  const replacedBytes = await findReplacedBytes({ db, store }, spaceId, blob)
  const stored = await actorWrite(db, actor, async record => {
    await lockSpace(db, spaceId)
    const place = await findFolder(db, actor, parentId, 'add')
    const replaced = await findReplaced(db, spaceId, input, name)
    const content = { ...(await admitContent(db, actor, input, blob, replaced)), replacedBytes }
    const done =
      replaced === undefined
        ? await addFile(db, actor, place, name, content)
        : await replaceContent(db, replaced, content)
    const action = replaced === undefined ? 'file.upload' : 'file.replace'
    record(action, { id: done.id, spaceId }, { name: done.name, size: blob.size })
    return done
  })
  // Not awaited, because the response time would reveal whether another user had the same content. It never throws.
  if (stored.renewed !== null) void renewBytes({ store, log }, stored.renewed, blob.key)
  await removals.add(stored.unnamed)
  return stored.id
}

/** The file to replace; undefined if a new file is to be made. Throws `name_taken`. */
async function findReplaced(
  db: Database,
  spaceId: number,
  input: UploadInput,
  name: string,
): Promise<ItemRow | undefined> {
  if (input.on_conflict === undefined || input.on_conflict === 'rename') return undefined
  const existing = await findByName(db, spaceId, input.parent_id ?? null, name)
  if (existing !== undefined && (input.on_conflict === 'fail' || existing.is_directory === 1)) throw nameTaken(name)
  return existing
}

/** The checked content and properties of an upload. */
interface NewContent {
  blob: ReceivedBlob
  /** The result of findReplacedBytes. */
  replacedBytes: Replaced | null
  modifiedAt: number | null
  status: ValidationStatus
  /** The given metadata values; a replaced file keeps its values for other fields. */
  values: CheckedValue[]
}

/** Checks an upload's metadata and determines its status. Throws `invalid_input` for the metadata. */
async function admitContent(
  db: Database,
  actor: Actor,
  input: UploadInput,
  blob: ReceivedBlob,
  replaced: ItemRow | undefined,
): Promise<Omit<NewContent, 'replacedBytes'>> {
  const switches = await findSwitches(db)
  const values = await checkValues(db, switches, input.metadata ?? [])
  await requireValues(db, switches, values, replaced?.id ?? null)
  return {
    blob,
    modifiedAt: input.modified_at === undefined ? null : Date.parse(input.modified_at),
    status: await initialStatus(db, switches, actor.userId),
    values: values.filter(({ value }) => value !== ''),
  }
}

async function addFile(
  db: Database,
  actor: Actor,
  { spaceId, folder }: Place,
  wantedName: string,
  { replacedBytes, ...content }: NewContent,
): Promise<Stored> {
  const parentId = folder?.id ?? null
  const name = await findFreeName(db, spaceId, parentId, wantedName, false)
  const { rows, unnamed, renewed } = await insertFiles(
    db,
    { spaceId, ownerId: actor.userId },
    [{ ...content, parentId, name }],
    { replacedBytes: new Map([[content.blob.key, replacedBytes]]) },
  )
  return { id: rows[0]?.id as number, name, unnamed, renewed: renewed[0]?.[0] ?? null }
}

/** Replaces a file's content. The file keeps its id and everything attached to it, except its approval. */
async function replaceContent(
  db: Database,
  file: ItemRow,
  { blob, replacedBytes, modifiedAt, status, values }: NewContent,
): Promise<Stored> {
  await charge(db, file.space_id, blob.size - file.size, 0)
  const saved = await saveBlob(db, blob, replacedBytes)
  const columns = {
    blob_id: saved.id,
    size: blob.size,
    modified_at: modifiedAt,
    updated_at: Date.now(),
    validation_status: status,
    validation_comment: null,
    validated_by: null,
    validated_at: null,
  }
  await db.update(db.files, columns, file.id)
  await saveValues(db, file.id, values)
  const dropped = await dropBlobs(db, file.blob_id === null ? [] : [file.blob_id])
  return { id: file.id, name: file.name, unnamed: [...saved.unnamed, ...dropped], renewed: saved.renewed }
}
