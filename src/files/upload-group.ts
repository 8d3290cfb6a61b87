/**
 * Groups small new files that wait for the writer at the same time into one write, to share its statements and sync.
 */

import { type Actor, writeActor } from '../access/actor.ts'
import { confirmAfterWait } from '../access/actor-write.ts'
import { confirmActor } from '../access/confirm-actor.ts'
import { isInSpace } from '../access/reach.ts'
import { standingIn } from '../access/standing.ts'
import { InTransit } from '../access/transit.ts'
import type { FileDetails, ValidationStatus } from '../api/items.ts'
import { openBatcher } from '../base/batcher.ts'
import { groupBy } from '../base/group-by.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { isTaken, toAppError } from '../db/failures.ts'
import type { Recorder } from '../db/recorder.ts'
import { systemActor } from '../db/write-actor.ts'
import type { Deps } from '../deps.ts'
import { requireValues } from '../metadata/values.ts'
import { findSwitches } from '../settings/find.ts'
import { findKnownBlobs, type InlineBlob } from './content.ts'
import { findFolder, type Place } from './find.ts'
import { findTakenIn } from './free-name.ts'
import { isDropBox } from './hand-in.ts'
import { initialStatus } from './initial-status.ts'
import type { ItemRow } from './item-row.ts'
import { lockSpaceOf } from './lock-spaces.ts'
import { insertFiles } from './new-files.ts'
import { presentChanged, presentNewFiles } from './present.ts'
import { type UploadDeps, type UploadInput, uploadFile, uploadName } from './upload.ts'

/** Most uploads of their own per write: at 32 KiB each they take a megabyte. */
const mostTogether = 32

/** A file with inline bytes and without metadata. If its name is taken, it gets a write of its own. */
export interface SmallFile {
  actor: Actor
  parentId: number | null
  name: string
  modifiedAt: number | null
  blob: InlineBlob
}

/** Thrown if the files need writes of their own, which find free names and report errors for each file. */
class GoAlone extends Error {}

/**
 * Returns a function that stores uploads. It takes the input of uploadFile, throws the same errors, and returns the
 * file. Uploads that can share a write do so.
 */
export function openUploads(deps: Pick<Deps, UploadDeps>) {
  const { db } = deps
  const join = openBatcher<SmallFile, FileDetails | null>({
    most: mostTogether,
    work: files => addTogether(deps, files),
  })
  return async (actor: Actor, input: UploadInput, fileName: string, blob: ReceivedBlob): Promise<FileDetails> => {
    const file = smallFileOf(actor, input, fileName, blob)
    const added = file === null ? null : await join(groupOf(actor), file)
    if (added !== null) return added
    // The group may have failed because this actor lost access while it waited.
    if (file !== null) await confirmActor(db, actor, actor.permissions)
    return presentChanged(db, actor, await uploadFile(deps, actor, input, fileName, blob))
  }
}

/**
 * Files of one user, whose initial status they share, and of one root: with a key for one folder the user reaches less.
 */
const groupOf = ({ userId, root }: Actor): string => `${userId} ${root.folderId}`

/** Returns the upload in the form that shares a write, or null if it needs a write of its own. */
export function smallFileOf(actor: Actor, input: UploadInput, fileName: string, blob: ReceivedBlob): SmallFile | null {
  const { parent_id, metadata = [], modified_at } = input
  const { inline } = blob
  if (inline === null || metadata.length > 0) return null
  return {
    actor,
    parentId: parent_id ?? null,
    name: uploadName(input, fileName),
    modifiedAt: modified_at === undefined ? null : Date.parse(modified_at),
    blob: { ...blob, inline },
  }
}

/**
 * Adds files of one user in one write. Returns null for files that need a write of their own. If one file fails, all
 * get null and are tried singly, so that only the bad one fails. Throws if the database or the disk is at fault, because
 * each single write would wait for them again. `inOrder`: adds none after the first that needs a write of its own.
 */
export async function addTogether(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  files: readonly SmallFile[],
  inOrder = false,
): Promise<(FileDetails | null)[]> {
  try {
    const actors = files.map(({ actor }) => actor)
    const [first] = actors
    return await db.write(first === undefined ? systemActor : writeActor(first), async record => {
      const added = await addFiles(db, record, files, inOrder)
      await confirmAfterWait(db, actors)
      return added
    })
  } catch (error) {
    const { code } = toAppError(error)
    // Only some of the files may go to a folder in transit.
    if (error instanceof InTransit) return files.map(() => null)
    if (code === 'unavailable' || code === 'storage_full') throw error
    const isForeseen = code !== 'internal' || error instanceof GoAlone || isTaken(error)
    if (!isForeseen) log.warn({ err: error }, 'small files could not be written together and are written one by one')
    return files.map(() => null)
  }
}

/** The initial status of a user's files without metadata. */
async function findStatus(db: Database, actor: Actor): Promise<ValidationStatus> {
  const switches = await findSwitches(db)
  await requireValues(db, switches, [], null)
  return initialStatus(db, switches, actor)
}

/**
 * Adds the files that go into the space of the first one, as far as their names are free. The others get null, and a
 * write of their own: a group has one space, and one user, whose status the files get.
 */
async function addFiles(
  db: Database,
  record: Recorder,
  files: readonly SmallFile[],
  inOrder: boolean,
): Promise<(FileDetails | null)[]> {
  const [first] = files
  if (first === undefined) throw new GoAlone()
  const { actor } = first
  await lockSpaceOf(db, actor, first.parentId)
  // These only read, so run them concurrently. Changes run one by one: a failed one may have ended the transaction.
  const [status, { spaceId }, placed, known] = await Promise.all([
    findStatus(db, actor),
    findFolder(db, actor, first.parentId, 'add'),
    findPlaced(db, actor, files),
    findKnownBlobs(
      db,
      files.map(({ blob }) => blob),
    ),
  ])
  const placeOf = (file: SmallFile): Place | undefined => {
    const place = placed.get(file)
    return place !== undefined && isInSpace(place, spaceId) ? place : undefined
  }
  const end = inOrder ? files.findIndex(file => placeOf(file) === undefined) : -1
  const added = files.slice(0, end === -1 ? undefined : end).flatMap(file => {
    const place = placeOf(file)
    return place === undefined ? [] : [[file, place] as const]
  })
  if (added.length === 0) throw new GoAlone()
  const { rows } = await insertFiles(
    db,
    { spaceId, ownerId: actor.userId },
    added.map(([file, { folderId }]) => ({ ...file, parentId: folderId, status })),
    known,
  )
  const found = added.map(([, { standing }], index) => ({
    ...(rows[index] as ItemRow),
    standing: standingIn(standing),
  }))
  for (const [index, { id, name, size }] of found.entries()) {
    const by = added[index]?.[0].actor ?? actor
    record.by(writeActor(by))('file.upload', { id, spaceId }, { name, size })
  }
  const shown = await presentNewFiles(
    db,
    actor,
    found,
    added.map(([file]) => file.blob.sha256),
  )
  const shownOf = new Map(added.map(([file], index) => [file, shown[index]]))
  return files.map(file => shownOf.get(file) ?? null)
}

/**
 * The files that can have their name, each with its place: the name is free, and they are the first to want it. Hand-ins
 * are none of them, because they get other names. Throws as `findFolder`.
 */
async function findPlaced(db: Database, actor: Actor, files: readonly SmallFile[]): Promise<Map<SmallFile, Place>> {
  const placed = new Map<SmallFile, Place>()
  for (const [parentId, members] of groupBy(files, file => file.parentId)) {
    const place = await findFolder(db, actor, parentId, 'add')
    if (isDropBox(place)) continue
    // If two files want a name, the first gets it.
    const wanted = new Map([...members].reverse().map(file => [file.name, file]))
    for (const name of await findTakenIn(db, place, [...wanted.keys()])) wanted.delete(name)
    for (const file of wanted.values()) placed.set(file, place)
  }
  return placed
}
