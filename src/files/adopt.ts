/** Takes files that the server's own terminal brings into a folder, many in one write. */
import { type Actor, writeActor } from '../access/actor.ts'
import type { ValidationStatus } from '../api/items.ts'
import { nameTaken } from '../base/errors.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { toFlag } from '../db/models/columns.ts'
import { isOneOf } from '../db/values.ts'
import type { Deps } from '../deps.ts'
import { type CheckedValue, saveValues } from '../metadata/values.ts'
import {
  findKnownBlobs,
  findReplacedBytes,
  type InlineBlob,
  type Replaced,
  renewBytes,
  saveBlob,
  saveInlineBlobs,
} from './content.ts'
import { findFolder } from './find.ts'
import { charge } from './space.ts'
import { newFileRow } from './upload.ts'

export interface AdoptedFile {
  name: string
  blob: ReceivedBlob
  /** ms, UTC. */
  modifiedAt: number
  status: ValidationStatus
  comment: string | null
  isFavorite: boolean
  tagIds: readonly number[]
  values: readonly CheckedValue[]
}

/** A live item that bears a name already. */
export interface NamedItem {
  id: number
  name: string
  is_directory: number
  size: number
  modified_at: number | null
  sha256: string | null
}

/** The live items of a folder (null: the root) that have one of some names, by their names. */
export async function findNamed(
  db: Database,
  spaceId: number,
  parentId: number | null,
  names: readonly string[],
): Promise<Map<string, NamedItem>> {
  if (names.length === 0) return new Map()
  const rows = await db.rows<NamedItem>(
    `SELECT f.id, f.name, f.is_directory, f.size, f.modified_at, b.sha256
     FROM files f LEFT JOIN blobs b ON b.id = f.blob_id
     WHERE f.space_id = $1 AND f.live_parent = $2 AND ${isOneOf('f.name', names, 3)}`,
    [spaceId, parentId ?? 0, ...names],
  )
  return new Map(rows.map(row => [row.name, row]))
}

interface SavedContents {
  /** The id of each content's row by its SHA-256. */
  ids: Map<string, number>
  unnamed: string[]
  /** Keys whose bytes others take the place of, with those others' keys. */
  renewed: [key: string, by: string][]
}

async function saveContents(
  db: Database,
  blobs: readonly ReceivedBlob[],
  replacedBytes: ReadonlyMap<string, Replaced | null>,
): Promise<SavedContents> {
  const small = blobs.filter((blob): blob is InlineBlob => blob.inline !== null)
  const ids =
    small.length === 0 ? new Map<string, number>() : await saveInlineBlobs(db, small, await findKnownBlobs(db, small))
  const unnamed: string[] = []
  const renewed: [string, string][] = []
  // In the order of their hashes, so that two writes of the same contents wait for each other and not in a circle.
  const large = blobs.filter(({ inline }) => inline === null).toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
  for (const blob of large) {
    const saved = await saveBlob(db, blob, replacedBytes.get(blob.key) ?? null)
    ids.set(blob.sha256, saved.id)
    unnamed.push(...saved.unnamed)
    if (saved.renewed !== null) renewed.push([saved.renewed, blob.key])
  }
  return { ids, unnamed, renewed }
}

/**
 * Adds at most a few dozen files to a live folder (null: the root), all or none. Throws `not_found` for the folder,
 * `name_taken` and `quota_exceeded`; the caller then removes the bytes.
 */
export async function adoptFiles(
  { db, store, log, removals }: Pick<Deps, 'db' | 'store' | 'log' | 'removals'>,
  actor: Actor,
  parentId: number | null,
  files: readonly AdoptedFile[],
): Promise<void> {
  const { spaceId } = actor.root
  const blobs = files.map(({ blob }) => blob)
  const replacedBytes = new Map<string, Replaced | null>()
  for (const blob of blobs) replacedBytes.set(blob.key, await findReplacedBytes({ db, store }, spaceId, blob))
  const { unnamed, renewed } = await db.write(writeActor(actor), async record => {
    await lockSpace(db, spaceId)
    const place = await findFolder(db, actor, parentId, 'add')
    const names = files.map(({ name }) => name)
    for (const [name] of await findNamed(db, spaceId, parentId, names)) throw nameTaken(name)
    const bytes = blobs.reduce((sum, { size }) => sum + size, 0)
    await charge(db, spaceId, bytes, files.length)
    const saved = await saveContents(db, blobs, replacedBytes)
    const rows = files.map(file => ({
      ...newFileRow(actor, place, file.name, file, saved.ids.get(file.blob.sha256) as number),
      is_favorite: toFlag(file.isFavorite),
      validation_comment: file.comment,
    }))
    const ids = await db.insertIds(db.files, rows, ['name'])
    for (const [index, file] of files.entries()) {
      const id = ids[index] as number
      await addMarks(db, id, file)
      record('file.upload', { id, spaceId }, { name: file.name, size: file.blob.size })
    }
    return saved
  })
  for (const [key, by] of renewed) await renewBytes({ store, log }, key, by)
  await removals.add(unnamed)
}

async function addMarks(db: Database, id: number, { tagIds, values }: AdoptedFile): Promise<void> {
  if (tagIds.length > 0) {
    await db.insertAll(
      db.fileTags,
      tagIds.map(tag_id => ({ tag_id, file_id: id })),
    )
  }
  await saveValues(db, id, values)
}
