/** The rows of contents: one for each SHA-256. A row is deleted when no file uses it any more. */

import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { isTaken } from '../db/failures.ts'
import { forUpdate } from '../db/for-update.ts'
import { isOneOf } from '../db/values.ts'
import type { StoredBytes } from './item-row.ts'
import type { UnnamedBytes } from './removals.ts'

/** The content of a small file, which is stored beside its row. */
export type InlineBlob = ReceivedBlob & { inline: Buffer }

export const isInline = (blob: ReceivedBlob): blob is InlineBlob => blob.inline !== null

/** A content with a row. */
export interface KnownBlob {
  id: number
  key: string
  place: 'inline' | 'store'
  sha256: string
  /** ms; when the row got its key; earlier if fsck has cut the content since. */
  created_at: number
}

/** On MariaDB it locks the rows until the commit, so that nobody deletes a content that this write is about to use. */
async function findBlobs(db: Database, hashes: readonly string[]): Promise<KnownBlob[]> {
  const lock = forUpdate(db)
  return db.rows<KnownBlob>(
    `SELECT id, \`key\`, place, sha256, created_at FROM blobs WHERE ${isOneOf('sha256', hashes)} ${lock}`,
    hashes,
  )
}

const blobRow = ({ key, size, sha256, inline }: ReceivedBlob) => ({
  key,
  place: inline === null ? ('store' as const) : ('inline' as const),
  size,
  sha256,
  created_at: Date.now(),
})

interface SavedBlob {
  id: number
  /** Bytes in the store that no row refers to after the commit. */
  unnamed: UnnamedBytes[]
  /** Bytes whose content has the upload's after the commit. Somebody may be reading them. */
  outdated: UnnamedBytes[]
}

/** The bytes that a row of `blobs` names, for their removal after the row names them no more. */
const namedBy = ({ key, created_at }: { key: string; created_at: number }): UnnamedBytes => ({
  key,
  namedAt: created_at,
})

/**
 * Restores lost or damaged inline bytes of known contents from equal uploads, by the id of the content. One whose row says
 * that it is in the store is inline from then on, under the upload's key: the sweeper removes what the store had of it.
 */
async function mendInline(db: Database, uploads: ReadonlyMap<number, InlineBlob>): Promise<void> {
  const ids = [...uploads.keys()]
  if (ids.length === 0) return
  const rows = await db.rows<{ id: number; place: 'inline' | 'store'; bytes: StoredBytes | null }>(
    `SELECT b.id, b.place, i.bytes FROM blobs b LEFT JOIN blob_bytes i ON i.blob_id = b.id
     WHERE ${isOneOf('b.id', ids)}`,
    ids,
  )
  for (const { id, place, bytes } of rows) {
    const upload = uploads.get(id)
    if (upload === undefined) continue
    const { key, inline: right } = upload
    if (place === 'store') await db.change("UPDATE blobs SET place = 'inline', `key` = $1 WHERE id = $2", [key, id])
    if (Buffer.isBuffer(bytes) && right.equals(bytes)) continue
    await db.change('DELETE FROM blob_bytes WHERE blob_id = $1', [id])
    await db.insertAll(db.blobBytes, [{ blob_id: id, bytes: right }])
  }
}

/** Whether a content that should be beside its row has as many bytes there as it should. */
async function isBesideRow(db: Database, id: number, size: number): Promise<boolean> {
  const query = 'SELECT blob_id FROM blob_bytes WHERE blob_id = $1 AND OCTET_LENGTH(bytes) = $2'
  return (await db.row(query, [id, size])) !== undefined
}

/**
 * Uses the row of an equal content. The upload's bytes replace those in the store, which are not compared with them: they
 * may be damaged, and the time of reading them would reveal to the sender that somebody has this content.
 */
async function shareBlob(db: Database, known: KnownBlob, blob: ReceivedBlob): Promise<SavedBlob> {
  if (known.key === blob.key) return { id: known.id, unnamed: [], outdated: [] }
  if (isInline(blob)) {
    await mendInline(db, new Map([[known.id, blob]]))
    return { id: known.id, unnamed: [], outdated: [] }
  }
  if (known.place === 'inline' && (await isBesideRow(db, known.id, blob.size))) {
    return { id: known.id, unnamed: [{ key: blob.key, namedAt: null }], outdated: [] }
  }
  const moved = "UPDATE blobs SET `key` = $1, place = 'store', created_at = $2 WHERE id = $3"
  await db.change(moved, [blob.key, Date.now(), known.id])
  return { id: known.id, unnamed: [], outdated: [namedBy(known)] }
}

/**
 * Saves the row of an upload's content, inside the write that uses it. The lookup happens here, so that no other write
 * can delete the content in between.
 */
export async function saveBlob(db: Database, blob: ReceivedBlob): Promise<SavedBlob> {
  const [known] = await findBlobs(db, [blob.sha256])
  if (known !== undefined) return shareBlob(db, known, blob)
  try {
    const id = await db.insert(db.blobs, blobRow(blob))
    if (blob.inline !== null) await db.insertAll(db.blobBytes, [{ blob_id: id, bytes: blob.inline }])
    return { id, unnamed: [], outdated: [] }
  } catch (error) {
    // On MariaDB two uploads may insert the same content at once. The other one's row exists by now.
    const [others] = isTaken(error) ? await findBlobs(db, [blob.sha256]) : []
    if (others === undefined) throw error
    return shareBlob(db, others, blob)
  }
}

/**
 * Finds the rows of known small contents (at least one), inside the write that uses them. Sorted by hash, so that two
 * writes of the same contents cannot deadlock.
 */
export const findKnownBlobs = (db: Database, blobs: readonly InlineBlob[]): Promise<KnownBlob[]> =>
  findBlobs(db, [...new Set(blobs.map(({ sha256 }) => sha256))].sort())

/**
 * As saveBlob, for many small files at once. `known` are the contents that already have a row. Returns the row ids by
 * SHA-256.
 */
export async function saveInlineBlobs(
  db: Database,
  blobs: readonly InlineBlob[],
  known: readonly KnownBlob[],
): Promise<Map<string, number>> {
  const contents = new Map(blobs.map(blob => [blob.sha256, blob]))
  const hashes = [...contents.keys()].sort()
  await mendInline(
    db,
    new Map(
      known.flatMap(({ id, sha256 }) => {
        const upload = contents.get(sha256)
        return upload === undefined ? [] : [[id, upload] as const]
      }),
    ),
  )
  const ids = new Map(known.map(({ id, sha256 }) => [sha256, id]))
  const fresh = hashes.flatMap(sha256 => (ids.has(sha256) ? [] : (contents.get(sha256) ?? [])))
  if (fresh.length === 0) return ids
  try {
    const freshIds = await db.insertIds(db.blobs, fresh.map(blobRow), ['sha256'])
    for (const [index, { sha256 }] of fresh.entries()) ids.set(sha256, freshIds[index] as number)
  } catch (error) {
    // On MariaDB another upload may have inserted one of them since. Its row exists by now.
    const more = isTaken(error) ? await findKnownBlobs(db, blobs) : []
    if (more.length <= known.length) throw error
    return saveInlineBlobs(db, blobs, more)
  }
  await db.insertAll(
    db.blobBytes,
    fresh.map(({ sha256, inline }) => ({ blob_id: ids.get(sha256) as number, bytes: inline })),
  )
  return ids
}

/** Inside a write, deletes the thumbnails of at most 1,000 files; returns their bytes in the store. */
export async function dropThumbnails(db: Database, fileIds: readonly number[]): Promise<UnnamedBytes[]> {
  const rows = await db.rows<{ id: number; key: string | null }>(
    `SELECT id, CASE WHEN bytes IS NULL THEN \`key\` END AS \`key\` FROM file_thumbnails WHERE ${isOneOf('file_id', fileIds)}`,
    fileIds,
  )
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  await db.change(`DELETE FROM file_thumbnails WHERE ${isOneOf('id', ids)}`, ids)
  return rows.flatMap(({ key }) => (key === null ? [] : [{ key, namedAt: null }]))
}

/**
 * Inside a write, deletes those of at most 1,000 blobs that no file uses. Returns the bytes that must be removed from the
 * store after the commit.
 */
export async function dropBlobs(db: Database, ids: readonly number[]): Promise<UnnamedBytes[]> {
  if (ids.length === 0) return []
  // On MariaDB lock the rows until the commit, so that nobody starts to use one that was found unused.
  if (db.dialect === 'mariadb') await db.rows(`SELECT id FROM blobs WHERE ${isOneOf('id', ids)} FOR UPDATE`, ids)
  const unnamed = await db.rows<Omit<KnownBlob, 'sha256'>>(
    `SELECT b.id, b.\`key\`, b.place, b.created_at FROM blobs b
     WHERE ${isOneOf('b.id', ids)} AND NOT EXISTS (SELECT 1 FROM files f WHERE f.blob_id = b.id)`,
    ids,
  )
  if (unnamed.length === 0) return []
  const gone = unnamed.map(({ id }) => id)
  await db.change(`DELETE FROM blobs WHERE ${isOneOf('id', gone)}`, gone)
  return unnamed.filter(({ place }) => place === 'store').map(namedBy)
}
