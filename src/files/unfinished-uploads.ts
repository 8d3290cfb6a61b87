/** Deletes the rows of uploads that become no file, and gives back what they hold free. */
import { isInSpace } from '../access/reach.ts'
import { AppError } from '../base/errors.ts'
import type { Bind } from '../db/connections.ts'
import type { Database } from '../db/database.ts'
import { forUpdate } from '../db/for-update.ts'
import type { UploadRow } from '../db/models/uploads.ts'
import type { Deps } from '../deps.ts'
import type { UnnamedBytes } from './removals.ts'
import { addToReserved, reserve } from './space.ts'

/** An upload that was deleted, with its bytes in the store; without a key there are none. */
export type EndedUpload = Pick<UploadRow, 'blob_key' | 'store_state' | 'link_id' | 'network' | 'state' | 'received'>

/** A user's space. */
interface Place {
  spaceId: number
  userId: number
}

export type EndedRow = EndedUpload & Pick<UploadRow, 'space_id' | 'target' | 'reserved' | 'expires_at'>

/**
 * Holds the whole room of an upload free in another space, so that the one where it was loses nothing by it any more.
 * Where the other one has too little room, it stays as it is. `whose`: the turn of the write.
 */
export async function moveRoom(db: Database, id: string, spaceId: number, whose: string): Promise<void> {
  try {
    await db.touch(async () => {
      const row = await db.row<Pick<UploadRow, 'space_id' | 'reserved' | 'length'>>(
        `SELECT space_id, reserved, length FROM uploads WHERE id = $1 ${forUpdate(db)}`,
        [id],
      )
      if (row === undefined || isInSpace({ spaceId }, row.space_id)) return
      await reserve(db, spaceId, row.length)
      await reserve(db, row.space_id, 0 - row.reserved)
      await db.change('UPDATE uploads SET space_id = $1, reserved = length WHERE id = $2', [spaceId, id])
    }, whose)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'quota_exceeded') throw error
  }
}

/** Those of other users. A visitor has no user, and the link by which they came ends with its maker. */
const ofOthers = 'space_id = $1 AND user_id <> $2'

/** Bytes that the uploads of others hold free in a user's space. */
export async function findRoomOfOthers(db: Database, { spaceId, userId }: Place): Promise<number> {
  const row = await db.row<{ bytes: number | string | null }>(
    `SELECT SUM(reserved) AS bytes FROM uploads WHERE ${ofOthers}`,
    [spaceId, userId],
  )
  // MariaDB sums to a decimal, which arrives as text.
  return Number(row?.bytes ?? 0)
}

/**
 * Inside a write that has locked both spaces: moves the uploads of others with all that they hold free, so that these go
 * on in the folders that have moved. The quota of the new space was checked before.
 */
export async function moveUploads(db: Database, from: Place, spaceId: number): Promise<void> {
  await db.rows(`SELECT id FROM uploads WHERE ${ofOthers} ${forUpdate(db)}`, [from.spaceId, from.userId])
  const bytes = await findRoomOfOthers(db, from)
  await db.change(`UPDATE uploads SET space_id = $3 WHERE ${ofOthers}`, [from.spaceId, from.userId, spaceId])
  await addToReserved(db, from.spaceId, 0 - bytes)
  await addToReserved(db, spaceId, bytes)
}

/**
 * Inside a write: deletes an upload and gives back what it holds free. Returns its bytes, to be dropped after the
 * commit; undefined if it is gone or no longer `isMeant`. What was read of it earlier must not be dropped: meanwhile it
 * may have become a file.
 */
export async function deleteUpload(
  db: Database,
  id: string,
  isMeant: (row: EndedRow) => boolean = () => true,
): Promise<EndedUpload | undefined> {
  const row = await db.row<EndedRow>(
    `SELECT space_id, state, target, reserved, received, expires_at, blob_key, store_state, link_id, network
     FROM uploads WHERE id = $1 ${forUpdate(db)}`,
    [id],
  )
  if (row === undefined || !isMeant(row)) return undefined
  await reserve(db, row.space_id, 0 - row.reserved)
  await db.change('DELETE FROM uploads WHERE id = $1', [id])
  // In a damaged row the key may be that of a file.
  return (await isContent(db, row.blob_key)) ? { ...row, blob_key: null } : row
}

export type DropDeps = Pick<Deps, 'store' | 'linkLimits'>

/** Drops the bytes of an upload whose row was deleted. One by a link that had none does not count for the link's day. */
export async function dropEnded({ store, linkLimits }: DropDeps, ended: EndedUpload | undefined): Promise<void> {
  if (ended === undefined) return
  const { link_id, network, state, received, blob_key, store_state } = ended
  if (link_id !== null && network !== null && state === 'open' && received === 0) {
    await linkLimits.giveBackFile(link_id, network)
  }
  if (blob_key !== null) await store.drop(blob_key, store_state)
}

/** Whether a key is that of a file's content, which no upload may write or remove. */
export const isContent = async (db: Database, key: string | null): Promise<boolean> =>
  (await db.row('SELECT id FROM blobs WHERE `key` = $1', [key])) !== undefined

/**
 * Inside a write: deletes the uploads `x` of a condition, and gives back what they hold free in any space. Returns
 * their bytes, to be removed after the commit.
 */
export async function endUploads(db: Database, condition: string, values: readonly Bind[]): Promise<UnnamedBytes[]> {
  const rows = await db.rows<Pick<UploadRow, 'id'>>(
    `SELECT x.id FROM uploads x WHERE ${condition} ORDER BY x.space_id, x.id`,
    [...values],
  )
  const unnamed: UnnamedBytes[] = []
  for (const { id } of rows) {
    const ended = await deleteUpload(db, id)
    if (typeof ended?.blob_key === 'string') unnamed.push({ key: ended.blob_key, namedAt: null })
  }
  return unnamed
}

/**
 * The same for the uploads that come by the links `l` of a condition. Call it before links are deleted, or what they are
 * on: their uploads go with them, but not what these hold free.
 */
export const endUploadsByLinks = (db: Database, condition: string, values: readonly Bind[]): Promise<UnnamedBytes[]> =>
  endUploads(db, `x.link_id IN (SELECT l.id FROM links l WHERE ${condition})`, values)
