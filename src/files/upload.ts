/** Stores a completely received upload as a file in the tree. */

import { accountOf, adderId, type Caller } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { confirmActor } from '../access/confirm-actor.ts'
import { isShown, mayReplaceUnapproved } from '../access/policy.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { itemName } from '../api/fields.ts'
import type { uploadFile as endpoint } from '../api/files.ts'
import type { ValidationStatus } from '../api/items.ts'
import { AppError, invalidField, nameTaken } from '../base/errors.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { admitValues, type CheckedValue, checkValues, requireValues, saveValues } from '../metadata/values.ts'
import { findSwitches } from '../settings/find.ts'
import { dropBlobs, dropThumbnails, saveBlob } from './content.ts'
import { findFolder, notAllowedHere, type Place } from './find.ts'
import { findByName } from './find-in-space.ts'
import { findFreeName } from './free-name.ts'
import { nameIn, receivedBy } from './hand-in.ts'
import { initialStatus } from './initial-status.ts'
import type { DetailsRow, ItemRow } from './item-row.ts'
import { lockSpaceOf } from './lock-spaces.ts'
import { insertFiles } from './new-files.ts'
import { settleBytes, type UnnamedBytes } from './removals.ts'
import { findSentBefore } from './sent-again.ts'
import { charge } from './space.ts'
import type { EndedUpload } from './unfinished-uploads.ts'
import { chargeLink, dropGivenWay, findRoom, giveWay } from './visitor-room.ts'

/** The dependencies of an upload. */
export type UploadDeps = 'db' | 'store' | 'freeSpace' | 'changes' | 'clock' | 'linkLimits' | 'log' | 'removals'
export type UploadInput = ParsedInputOf<typeof endpoint>

/** The requested name of an upload: the field `name`, else the part's file name. Throws `invalid_input`. */
export function uploadName(input: UploadInput, fileName: string): string {
  if (input.name !== undefined) return input.name
  const result = itemName.safeParse(fileName)
  if (!result.success) throw invalidField('name', result.error.issues[0]?.message ?? 'Name is required')
  return result.data
}

/** What else is changed in the write that makes an upload a file. */
export interface AlongWith {
  /** Called before the quota is charged; `replaced` is the file whose content is replaced. May refuse the upload. */
  before(replaced: DetailsRow | undefined): Promise<void>
  /** Called with the file's id. */
  after(fileId: number): Promise<void>
}

interface Stored {
  id: number
  name: string
  /** Bytes in the store that no row refers to any more. */
  unnamed: UnnamedBytes[]
  /** Bytes whose content has the upload's now. */
  outdated: UnnamedBytes[]
}

/**
 * Stores an upload; returns the file's id. Throws `not_found`, `name_taken`, `quota_exceeded`, and `invalid_input`,
 * `storage_full` or `rate_limited` for its name or metadata; the caller must then remove the bytes.
 */
export async function uploadFile(
  deps: Pick<Deps, UploadDeps>,
  actor: Caller,
  input: UploadInput,
  fileName: string,
  blob: ReceivedBlob,
  along?: AlongWith,
): Promise<number> {
  const { db, freeSpace, changes, clock, removals } = deps
  // Refuse a bad name before anything else.
  uploadName(input, fileName)
  await admitValues({ freeSpace, changes }, accountOf(actor), input.metadata ?? [])
  await findFolder(db, actor, input.parent_id ?? null, 'add')
  let ended: EndedUpload[] = []
  const stored = await actorWrite(db, actor, async record => {
    // The write may be an attempt after another one, which was undone.
    ended = []
    await lockSpaceOf(db, actor, input.parent_id ?? null)
    // A change of the link that was committed since the request began holds; it takes the same lock.
    if (actor.link !== null) await confirmActor(db, actor, actor.permissions)
    const place = await findFolder(db, actor, input.parent_id ?? null, 'add')
    const { spaceId } = place
    const name = nameIn(place, actor, uploadName(input, fileName))
    const replaced = await findReplaced(db, actor, place, input.on_conflict, name)
    await along?.before(replaced)
    const content = await admitContent(db, actor, input, blob, replaced)
    const sentBefore = await findSentBefore(db, actor, place, name, content)
    if (sentBefore !== undefined) {
      record.nothing()
      await along?.after(sentBefore.id)
      return { ...(await saveBlob(db, blob)), ...sentBefore }
    }
    // An upload in several requests has found its room when it began.
    if (actor.link !== null && along === undefined) {
      ended = await giveWay(db, () => findRoom(db, actor, spaceId, blob.size, clock.now()))
    }
    const done =
      replaced === undefined
        ? await addFile(db, actor, place, name, content)
        : await replaceContent(db, actor, replaced, content)
    if (actor.link !== null) await chargeLink(db, actor.link.id, blob.size)
    const action = replaced === undefined ? 'file.upload' : 'file.replace'
    record(action, { id: done.id, spaceId }, { name: done.name, size: blob.size })
    await along?.after(done.id)
    return done
  })
  await dropGivenWay(deps, ended)
  await settleBytes(removals, stored)
  return stored.id
}

/**
 * The live item that an upload would replace or collide with. Throws `forbidden` if files may only be added, and
 * `name_taken` if the rule says so, or the item is a folder or is not shown to the actor.
 */
export async function findReplaced(
  db: Database,
  actor: Caller,
  { spaceId, folderId, standing }: Place,
  rule: UploadInput['on_conflict'],
  name: string,
): Promise<DetailsRow | undefined> {
  if (rule === undefined || rule === 'rename') return undefined
  if (rule === 'replace' && !standing.here.change) throw notAllowedHere()
  const existing = await findByName(db, spaceId, folderId, name)
  const isShownFile = existing?.is_directory === 0 && isShown(actor, standing, existing)
  if (existing !== undefined && (rule === 'fail' || !isShownFile)) throw nameTaken(name)
  return existing
}

/** The checked content and properties of an upload. */
interface NewContent {
  blob: ReceivedBlob
  modifiedAt: number | null
  status: ValidationStatus
  /** The given metadata values; a replaced file keeps its values for other fields. */
  values: CheckedValue[]
}

const cannotReplace = (): AppError =>
  new AppError(
    'forbidden',
    'Your files wait for approval, so they cannot replace what others have put here: upload under another name',
  )

/**
 * Checks an upload's metadata and determines its status. Throws `invalid_input` for the metadata, and `forbidden` if it
 * would take an approved file away from others.
 */
export async function admitProperties(
  db: Database,
  actor: Caller,
  input: Pick<UploadInput, 'metadata'>,
  replaced: ItemRow | undefined,
): Promise<Pick<NewContent, 'status' | 'values'>> {
  const switches = await findSwitches(db)
  const values = await checkValues(db, switches, input.metadata ?? [])
  await requireValues(db, switches, values, replaced?.id ?? null)
  const status = await initialStatus(db, switches, actor)
  if (status !== 'approved' && replaced !== undefined && !mayReplaceUnapproved(actor, replaced)) throw cannotReplace()
  return { status, values: values.filter(({ value }) => value !== '') }
}

/** Checks metadata that a file is to have later. Throws `invalid_input`. */
export const checkMetadata = async (db: Database, values: NonNullable<UploadInput['metadata']>): Promise<unknown> =>
  checkValues(db, await findSwitches(db), values)

/** The same with the content. */
export const admitContent = async (
  db: Database,
  actor: Caller,
  input: Pick<UploadInput, 'metadata' | 'modified_at'>,
  blob: ReceivedBlob,
  replaced: ItemRow | undefined,
): Promise<NewContent> => ({
  blob,
  modifiedAt: input.modified_at === undefined ? null : Date.parse(input.modified_at),
  ...(await admitProperties(db, actor, input, replaced)),
})

async function addFile(
  db: Database,
  actor: Caller,
  place: Place,
  wantedName: string,
  content: NewContent,
): Promise<Stored> {
  const { spaceId, folderId: parentId } = place
  const name = await findFreeName(db, spaceId, parentId, wantedName, false)
  const { rows, unnamed, outdated } = await insertFiles(
    db,
    { spaceId, ownerId: adderId(actor), receivedBy: receivedBy(place, actor) },
    [{ ...content, parentId, name }],
  )
  return { id: rows[0]?.id as number, name, unnamed, outdated }
}

/** Replaces a file's content. The file keeps its id and everything attached to it, except its approval. */
export async function replaceContent(
  db: Database,
  { userId }: Caller,
  file: ItemRow,
  { blob, modifiedAt, status, values }: NewContent,
): Promise<Stored> {
  await charge(db, file.space_id, blob.size - file.size, 0)
  const saved = await saveBlob(db, blob)
  const columns = {
    blob_id: saved.id,
    content_by: userId === file.owner_id ? null : userId,
    // A hand-in stays the one of its owner; what came otherwise is now the content of a known user.
    received_by: file.received_by === 0 ? (0 as const) : null,
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
  const thumbnails = saved.id === file.blob_id ? [] : await dropThumbnails(db, [file.id])
  const dropped = await dropBlobs(db, file.blob_id === null ? [] : [file.blob_id])
  const unnamed = [...saved.unnamed, ...thumbnails, ...dropped]
  return { id: file.id, name: file.name, unnamed, outdated: saved.outdated }
}
