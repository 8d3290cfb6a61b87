/** Adds files that are imported on the server's own command line to a folder, many in one write. */
import { type Actor, writeActor } from '../access/actor.ts'
import { nameTaken } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { isOneOf } from '../db/values.ts'
import type { Deps } from '../deps.ts'
import { findFolder } from './find.ts'
import { type FileMarks, insertFiles, type NewFile } from './new-files.ts'
import { settleBytes } from './removals.ts'

/** A file to add, without its folder. */
export type AdoptedFile = Omit<NewFile, 'parentId'> & FileMarks

/** A live item that already has a name. */
export interface NamedItem {
  id: number
  name: string
  is_directory: number
  size: number
  sha256: string | null
}

/** Maps names to the live items of a folder (null: the root) that have them. */
export async function findNamed(
  db: Database,
  spaceId: number,
  parentId: number | null,
  names: readonly string[],
): Promise<Map<string, NamedItem>> {
  if (names.length === 0) return new Map()
  const rows = await db.rows<NamedItem>(
    `SELECT f.id, f.name, f.is_directory, f.size, b.sha256
     FROM files f LEFT JOIN blobs b ON b.id = f.blob_id
     WHERE f.space_id = $1 AND f.live_parent = $2 AND ${isOneOf('f.name', names, 3)}`,
    [spaceId, parentId ?? 0, ...names],
  )
  return new Map(rows.map(row => [row.name, row]))
}

/**
 * Adds at most a few dozen files to a live folder (null: the root), all or none. Throws `not_found` for the folder,
 * `name_taken` and `quota_exceeded`; the caller must then remove the bytes.
 */
export async function adoptFiles(
  { db, removals }: Pick<Deps, 'db' | 'removals'>,
  actor: Actor,
  parentId: number | null,
  files: readonly AdoptedFile[],
): Promise<void> {
  const { spaceId } = await findFolder(db, actor, parentId, 'add')
  const stored = await db.write(writeActor(actor), async record => {
    await lockSpace(db, spaceId)
    await findFolder(db, actor, parentId, 'add')
    const names = files.map(({ name }) => name)
    for (const [name] of await findNamed(db, spaceId, parentId, names)) throw nameTaken(name)
    const rows = files.map(file => ({ ...file, parentId }))
    const inserted = await insertFiles(db, { spaceId, ownerId: actor.userId }, rows)
    for (const { id, name, size } of inserted.rows) record('file.upload', { id, spaceId }, { name, size })
    return inserted
  })
  await settleBytes(removals, stored)
}
