/**
 * Groups small new files that wait for the writer at the same time into one write, to share its statements and sync.
 */

import { type Actor, writeActor } from '../access/actor.ts'
import { confirmAfterWait } from '../access/actor-write.ts'
import { confirmActor } from '../access/confirm-actor.ts'
import type { FileDetails, ValidationStatus } from '../api/items.ts'
import { openBatcher } from '../base/batcher.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { isTaken, toAppError } from '../db/failures.ts'
import { lockSpace } from '../db/lock-space.ts'
import { isOneOf } from '../db/values.ts'
import { type Recorder, systemActor } from '../db/write.ts'
import type { Deps } from '../deps.ts'
import { requireValues } from '../metadata/values.ts'
import { findSwitches } from '../settings/find.ts'
import { findKnownBlobs, type InlineBlob } from './content.ts'
import { findFolder } from './find.ts'
import { initialStatus } from './initial-status.ts'
import { insertFiles } from './new-files.ts'
import { addPaths } from './paths.ts'
import { presentChanged, presentNewFile, rootPath } from './present.ts'
import { type UploadDeps, type UploadInput, uploadFile, uploadName } from './upload.ts'

/** Most files per write: at 32 KiB each they take a megabyte. */
export const mostTogether = 32

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
  // Groups are per user, because a user's files share one space and one initial status.
  const join = openBatcher<SmallFile, FileDetails | null>({
    most: mostTogether,
    work: files => addTogether(deps, files),
  })
  return async (actor: Actor, input: UploadInput, fileName: string, blob: ReceivedBlob): Promise<FileDetails> => {
    const file = smallFileOf(actor, input, fileName, blob)
    const added = file === null ? null : await join(actor.userId, file)
    if (added !== null) return added
    // The group may have failed because this actor lost access while it waited.
    if (file !== null) await confirmActor(db, actor, actor.permissions)
    return presentChanged(db, actor, await uploadFile(deps, actor, input, fileName, blob))
  }
}

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
 * Adds files of one user in one write. Returns null for files that need a write of their own; if one file fails, that
 * is all of them, so that only the bad one fails in the end. Throws if the database or the disk is at fault, because
 * each single write would wait for them again. `inOrder`: adds none after the first that needs a write of its own.
 */
export async function addTogether(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  files: readonly SmallFile[],
  inOrder = false,
): Promise<(FileDetails | null)[]> {
  try {
    const asked = performance.now()
    const actors = files.map(({ actor }) => actor)
    return await db.write(systemActor, async record => {
      const added = await addFiles(db, record, files, inOrder)
      await confirmAfterWait(db, asked, actors)
      return added
    })
  } catch (error) {
    const { code } = toAppError(error)
    if (code === 'unavailable' || code === 'storage_full') throw error
    const isForeseen = code !== 'internal' || error instanceof GoAlone || isTaken(error)
    if (!isForeseen) log.warn({ err: error }, 'small files could not be written together and are written one by one')
    return files.map(() => null)
  }
}

/** The initial status of a user's files without metadata. */
async function findStatus(db: Database, userId: number): Promise<ValidationStatus> {
  const switches = await findSwitches(db)
  await requireValues(db, switches, [], null)
  return initialStatus(db, switches, userId)
}

async function addFiles(
  db: Database,
  record: Recorder,
  files: readonly SmallFile[],
  inOrder: boolean,
): Promise<(FileDetails | null)[]> {
  const [first] = files
  if (first === undefined) throw new GoAlone()
  const { actor } = first
  const { spaceId } = actor.root
  await lockSpace(db, spaceId)
  const paths = rootPath()
  // These only read, so run them concurrently. Changes run one by one: a failed one may have ended the transaction.
  const [status, placed, known] = await Promise.all([
    findStatus(db, actor.userId),
    findPlaced(db, actor, files),
    findKnownBlobs(
      db,
      files.map(({ blob }) => blob),
    ),
    addPaths(
      db,
      paths,
      files.map(({ parentId }) => parentId),
    ),
  ])
  const end = inOrder ? files.findIndex(file => !placed.has(file)) : -1
  const added = files.slice(0, end === -1 ? undefined : end).filter(file => placed.has(file))
  if (added.length === 0) throw new GoAlone()
  const { rows } = await insertFiles(
    db,
    { spaceId, ownerId: actor.userId },
    added.map(file => ({ ...file, status })),
    { blobs: known },
  )
  const rowOf = new Map(added.map((file, index) => [file, rows[index]]))
  return files.map(file => {
    const row = rowOf.get(file)
    if (row === undefined) return null
    record.by(writeActor(file.actor))('file.upload', { id: row.id, spaceId }, { name: row.name, size: row.size })
    return presentNewFile(actor, row, file.blob.sha256, paths)
  })
}

const byFolder = (files: readonly SmallFile[]): Map<number | null, SmallFile[]> => {
  const folders = new Map<number | null, SmallFile[]>()
  for (const file of files) folders.set(file.parentId, [...(folders.get(file.parentId) ?? []), file])
  return folders
}

const findNames = (db: Database, spaceId: number, parentId: number | null, names: readonly string[]) =>
  db.rows<{ name: string }>(
    `SELECT name FROM files WHERE space_id = $1 AND live_parent = $2 AND ${isOneOf('name', names, 3)}`,
    [spaceId, parentId ?? 0, ...names],
  )

/** The files that can have their name: it is free, and they are the first to want it. Throws as `findFolder`. */
async function findPlaced(db: Database, actor: Actor, files: readonly SmallFile[]): Promise<Set<SmallFile>> {
  const placed = new Set<SmallFile>()
  for (const [parentId, members] of byFolder(files)) {
    const { spaceId } = await findFolder(db, actor, parentId, 'add')
    // If two files want a name, the first gets it.
    const wanted = new Map([...members].reverse().map(file => [file.name, file]))
    for (const { name } of await findNames(db, spaceId, parentId, [...wanted.keys()])) wanted.delete(name)
    for (const file of wanted.values()) placed.add(file)
  }
  return placed
}
