/** Small new files that wait for the writer at the same time share one write, and so its statements and its sync. */
import { type Actor, writeActor } from '../access/actor.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { isOrphan, isTaken } from '../db/failures.ts'
import { lockSpace } from '../db/lock-space.ts'
import { isOneOf } from '../db/values.ts'
import { type Recorder, systemActor } from '../db/write.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { openGroups } from '../groups.ts'
import { requireValues } from '../metadata/values.ts'
import { findSwitches } from '../settings/find.ts'
import { findFolder } from './find.ts'
import { initialStatus } from './initial-status.ts'
import { charge } from './space.ts'
import { newFileRow, type UploadInput, uploadFile, uploadName } from './upload.ts'

/** Files in one write: with at most 32 KiB each, a megabyte. */
const most = 32

/** A new file whose bytes stand beside its row, without metadata; a taken name makes it no other's business. */
interface SmallFile {
  actor: Actor
  parentId: number | null
  name: string
  modifiedAt: number | null
  blob: ReceivedBlob
  bytes: Buffer
}

/** What a write of its own decides, with its own errors and free names. */
class GoAlone extends Error {}

/**
 * Opens the door for uploads. It takes what uploadFile takes, and answers and throws the same; what can share a write
 * with others does.
 */
export function openUploads(deps: Pick<Deps, 'db' | 'store' | 'log'>) {
  const { db } = deps
  const join = openGroups<SmallFile, number | null>({ most, work: files => addTogether(db, files) })
  return async (actor: Actor, input: UploadInput, fileName: string, blob: ReceivedBlob): Promise<number> => {
    const file = smallFileOf(actor, input, fileName, blob)
    const id = file === null ? null : await join(actor.spaceId, file)
    return id ?? uploadFile(deps, actor, input, fileName, blob)
  }
}

function smallFileOf(actor: Actor, input: UploadInput, fileName: string, blob: ReceivedBlob): SmallFile | null {
  const { parent_id, on_conflict = 'rename', metadata = [], modified_at } = input
  if (blob.inline === null || on_conflict !== 'rename' || metadata.length > 0) return null
  return {
    actor,
    parentId: parent_id ?? null,
    name: uploadName(input, fileName),
    modifiedAt: modified_at === undefined ? null : Date.parse(modified_at),
    blob,
    bytes: blob.inline,
  }
}

/** The ids of files of one space; null for those that have to go alone, as one that has nobody beside it does. */
async function addTogether(db: Database, files: readonly SmallFile[]): Promise<(number | null)[]> {
  const alone = files.map(() => null)
  if (files.length === 1) return alone
  try {
    return await db.write(systemActor, record => addFiles(db, record, files))
  } catch (error) {
    if (error instanceof GoAlone || error instanceof AppError || isTaken(error) || isOrphan(error)) return alone
    throw error
  }
}

async function addFiles(db: Database, record: Recorder, files: readonly SmallFile[]): Promise<(number | null)[]> {
  const [first] = files
  if (first === undefined) throw new GoAlone()
  const { spaceId } = first.actor
  await lockSpace(db, spaceId)
  const switches = await findSwitches(db)
  await requireValues(db, switches, [], null)
  // Nobody uploads into a space but its owner.
  const status = await initialStatus(db, switches, first.actor.userId)
  const placed = await findPlaced(db, spaceId, files)
  if (placed.size === 0) throw new GoAlone()
  const added = [...placed]
  await charge(
    db,
    spaceId,
    added.reduce((sum, { blob }) => sum + blob.size, 0),
    added.length,
  )
  const blobIds = await saveBlobs(db, added)
  await db.insertAll(
    db.files,
    added.map(file =>
      newFileRow(file.actor, file.parentId, file.name, { ...file, status }, blobIds.get(file.blob.sha256) as number),
    ),
  )
  const ids = await findIds(db, spaceId, added)
  for (const file of added) {
    const detail = { name: file.name, size: file.blob.size }
    record.by(writeActor(file.actor))('file.upload', { id: ids.get(file) ?? null, spaceId }, detail)
  }
  return files.map(file => ids.get(file) ?? null)
}

const byFolder = (files: readonly SmallFile[]): Map<number | null, SmallFile[]> => {
  const folders = new Map<number | null, SmallFile[]>()
  for (const file of files) folders.set(file.parentId, [...(folders.get(file.parentId) ?? []), file])
  return folders
}

const findNames = (db: Database, spaceId: number, parentId: number | null, names: readonly string[]) =>
  db.rows<{ id: number; name: string }>(
    `SELECT id, name FROM files WHERE space_id = $1 AND live_parent = $2 AND ${isOneOf('name', names, 3)}`,
    [spaceId, parentId ?? 0, ...names],
  )

/** Those whose folder is there and whose name is free in it, and not wanted by two. */
async function findPlaced(db: Database, spaceId: number, files: readonly SmallFile[]): Promise<Set<SmallFile>> {
  const placed = new Set<SmallFile>()
  for (const [parentId, members] of byFolder(files)) {
    await findFolder(db, spaceId, parentId)
    // Of two of one name the first gets it.
    const wanted = new Map([...members].reverse().map(file => [file.name, file]))
    for (const { name } of await findNames(db, spaceId, parentId, [...wanted.keys()])) wanted.delete(name)
    for (const file of wanted.values()) placed.add(file)
  }
  return placed
}

/** The ids of the rows just added, read back: only a single row's is told by the database. */
async function findIds(db: Database, spaceId: number, files: readonly SmallFile[]): Promise<Map<SmallFile, number>> {
  const ids = new Map<SmallFile, number>()
  for (const [parentId, members] of byFolder(files)) {
    const rows = await findNames(
      db,
      spaceId,
      parentId,
      members.map(file => file.name),
    )
    const byName = new Map(rows.map(({ id, name }) => [name, id]))
    for (const file of members) ids.set(file, byName.get(file.name) as number)
  }
  return ids
}

/** Content by SHA-256, with the id of its row: known ones serve, new ones are added. */
async function saveBlobs(db: Database, files: readonly SmallFile[]): Promise<Map<string, number>> {
  const contents = new Map(files.map(file => [file.blob.sha256, file]))
  const findIdsOf = async (hashes: readonly string[], lock = '') =>
    new Map(
      (
        await db.rows<{ id: number; sha256: string }>(
          `SELECT id, sha256 FROM blobs WHERE ${isOneOf('sha256', hashes)} ${lock}`,
          hashes,
        )
      ).map(({ id, sha256 }) => [sha256, id]),
    )
  // Held until the commit, so that nobody drops the content that this write is about to name.
  const known = await findIdsOf([...contents.keys()], db.dialect === 'mariadb' ? 'FOR UPDATE' : '')
  const fresh = [...contents.values()].filter(({ blob }) => !known.has(blob.sha256))
  if (fresh.length === 0) return known
  const created_at = Date.now()
  await db.insertAll(
    db.blobs,
    fresh.map(({ blob: { key, size, sha256 } }) => ({ key, place: 'inline' as const, size, sha256, created_at })),
  )
  const added = await findIdsOf(fresh.map(({ blob }) => blob.sha256))
  await db.insertAll(
    db.blobBytes,
    fresh.map(({ blob, bytes }) => ({ blob_id: added.get(blob.sha256) as number, bytes })),
  )
  return new Map([...known, ...added])
}
