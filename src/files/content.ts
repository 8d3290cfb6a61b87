/** Gives content its row, once for each SHA-256, and takes the row away when no file names it any more. */
import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { systemCode } from '../base/errors.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { isTaken } from '../db/failures.ts'
import { backupPrefix } from '../db/leases.ts'
import { isOneOf, isOneOfMany } from '../db/values.ts'
import type { Deps } from '../deps.ts'

/** Content that has a row. */
export interface KnownBlob {
  id: number
  key: string
  sha256: string
}

/** Held until the commit on MariaDB, so that nobody drops the content that this write is about to name. */
async function findBlobs(db: Database, hashes: readonly string[]): Promise<KnownBlob[]> {
  const lock = db.dialect === 'mariadb' ? 'FOR UPDATE' : ''
  return db.rows<KnownBlob>(`SELECT id, \`key\`, sha256 FROM blobs WHERE ${isOneOf('sha256', hashes)} ${lock}`, hashes)
}

const blobRow = ({ key, size, sha256, inline }: ReceivedBlob) => ({
  key,
  place: inline === null ? ('store' as const) : ('inline' as const),
  size,
  sha256,
  created_at: Date.now(),
})

/** What a store says of bytes that are gone, behind a link, or on a broken part of the disk. */
const losses = ['ENOENT', 'ELOOP', 'EIO']

async function isWhole(store: BlobStore, key: string, sha256: string): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    await pipeline(await store.read(key), hash)
  } catch (error) {
    if (losses.includes(systemCode(error) ?? '')) return false
    throw error
  }
  return hash.digest('hex') === sha256
}

/** Known content whose bytes an upload's shall replace. */
export interface Replaced {
  /** Where its bytes are. */
  key: string
  /** Whether they were read and found lost or damaged; otherwise they are another space's, and may be in use. */
  isDamaged: boolean
}

/**
 * Content that is known, but whose bytes an upload's shall replace; null for all other content. Who uploads a
 * file again may do so because it has suffered, so what would serve in its place is read. That takes as long as a look
 * through the bytes: it is asked before the write. Content of other spaces alone is not read, for that time would tell
 * that they have it: the bytes that have just come in are as good.
 */
export async function findReplacedBytes(
  { db, store }: Pick<Deps, 'db' | 'store'>,
  spaceId: number,
  blob: ReceivedBlob,
): Promise<Replaced | null> {
  if (blob.inline !== null) return null
  const known = await db.row<{ key: string; own: number }>(
    `SELECT b.\`key\`, EXISTS (SELECT 1 FROM files f WHERE f.blob_id = b.id AND f.space_id = $1) AS own
     FROM blobs b WHERE b.sha256 = $2 AND b.place = 'store'`,
    [spaceId, blob.sha256],
  )
  if (known === undefined) return null
  const isOwn = known.own === 1
  return isOwn && (await isWhole(store, known.key, blob.sha256)) ? null : { key: known.key, isDamaged: isOwn }
}

interface SavedBlob {
  id: number
  /** Keys of the store that nothing names once the write is committed. */
  unnamed: string[]
  /** A key whose bytes those of the upload then take the place of; null where they do not. */
  renewed: string | null
}

/**
 * Gives known content that stands beside its row its bytes again where they are lost: those of an upload are the same,
 * unless what is kept has changed since it came in.
 */
async function mendInline(db: Database, bytesById: ReadonlyMap<number, Buffer>): Promise<void> {
  const ids = [...bytesById.keys()]
  if (ids.length === 0) return
  const rows = await db.rows<{ id: number; bytes: Buffer | null }>(
    `SELECT b.id, i.bytes FROM blobs b LEFT JOIN blob_bytes i ON i.blob_id = b.id
     WHERE b.place = 'inline' AND ${isOneOf('b.id', ids)}`,
    ids,
  )
  for (const { id, bytes } of rows) {
    const right = bytesById.get(id)
    if (right === undefined || (bytes !== null && right.equals(bytes))) continue
    await db.change('DELETE FROM blob_bytes WHERE blob_id = $1', [id])
    await db.insertAll(db.blobBytes, [{ blob_id: id, bytes: right }])
  }
}

/** A row of equal content serves: its own bytes stay, unless the upload's take their place. */
async function shareBlob(
  db: Database,
  known: KnownBlob,
  blob: ReceivedBlob,
  replaced: Replaced | null,
): Promise<SavedBlob> {
  if (blob.inline !== null) {
    await mendInline(db, new Map([[known.id, blob.inline]]))
    return { id: known.id, unnamed: [], renewed: null }
  }
  if (known.key !== replaced?.key) return { id: known.id, unnamed: [blob.key], renewed: null }
  // A download under way, or nginx that is about to begin one, finds them where it was told.
  if (!replaced.isDamaged) return { id: known.id, unnamed: [], renewed: known.key }
  await db.change('UPDATE blobs SET `key` = $1 WHERE id = $2', [blob.key, known.id])
  return { id: known.id, unnamed: [known.key], renewed: null }
}

/**
 * Gives an upload's content its row, inside the write that names it. Whether the content is known is asked here and not
 * before, so that no other write can drop it in between. `replaced` is what findReplacedBytes has found.
 */
export async function saveBlob(db: Database, blob: ReceivedBlob, replaced: Replaced | null): Promise<SavedBlob> {
  const [known] = await findBlobs(db, [blob.sha256])
  if (known !== undefined) return shareBlob(db, known, blob, replaced)
  try {
    const id = await db.insert(db.blobs, blobRow(blob))
    if (blob.inline !== null) await db.insertAll(db.blobBytes, [{ blob_id: id, bytes: blob.inline }])
    return { id, unnamed: [], renewed: null }
  } catch (error) {
    // Two first uploads of one content at a time on MariaDB: the other's row is there now.
    const [others] = isTaken(error) ? await findBlobs(db, [blob.sha256]) : []
    if (others === undefined) throw error
    return shareBlob(db, others, blob, replaced)
  }
}

/** A small file's content, which stands beside its row. */
export type InlineBlob = ReceivedBlob & { inline: Buffer }

const bytesOf = (blob: InlineBlob | undefined, id: number): [number, Buffer][] =>
  blob === undefined ? [] : [[id, blob.inline]]

/**
 * The rows of those of at least one small content that are known; asked inside the write that names them. In the order of
 * their hashes, so that two writes of the same contents wait for each other and not in a circle.
 */
export const findKnownBlobs = (db: Database, blobs: readonly InlineBlob[]): Promise<KnownBlob[]> =>
  findBlobs(db, [...new Set(blobs.map(({ sha256 }) => sha256))].sort())

/**
 * Does what saveBlob does for the contents of many small files at once, of which `known` are those that have a row
 * already; gives back the id of each content's row by its SHA-256.
 */
export async function saveInlineBlobs(
  db: Database,
  blobs: readonly InlineBlob[],
  known: readonly KnownBlob[],
): Promise<Map<string, number>> {
  const contents = new Map(blobs.map(blob => [blob.sha256, blob]))
  const hashes = [...contents.keys()].sort()
  await mendInline(db, new Map(known.flatMap(({ id, sha256 }) => bytesOf(contents.get(sha256), id))))
  const ids = new Map(known.map(({ id, sha256 }) => [sha256, id]))
  const fresh = hashes.flatMap(sha256 => (ids.has(sha256) ? [] : (contents.get(sha256) ?? [])))
  if (fresh.length === 0) return ids
  const freshIds = await db.insertIds(db.blobs, fresh.map(blobRow), ['sha256'])
  for (const [index, { sha256 }] of fresh.entries()) ids.set(sha256, freshIds[index] as number)
  await db.insertAll(
    db.blobBytes,
    fresh.map(({ sha256, inline }) => ({ blob_id: ids.get(sha256) as number, bytes: inline })),
  )
  return ids
}

interface UnnamedBlob {
  id: number
  key: string
  place: 'inline' | 'store'
}

/** Removes the thumbnails of blobs in spaces where no file has them any more; gives back their keys. */
async function dropThumbnails(db: Database, blobIds: readonly number[]): Promise<string[]> {
  const rows = await db.rows<{ id: number; key: string | null }>(
    `SELECT t.id, t.\`key\` FROM space_thumbnails t WHERE ${isOneOf('t.blob_id', blobIds)}
     AND NOT EXISTS (SELECT 1 FROM files f WHERE f.blob_id = t.blob_id AND f.space_id = t.space_id)`,
    blobIds,
  )
  if (rows.length === 0) return []
  const { condition, values } = isOneOfMany(
    db.dialect,
    'id',
    rows.map(({ id }) => id),
  )
  await db.change(`DELETE FROM space_thumbnails WHERE ${condition}`, values)
  return rows.flatMap(({ key }) => (key === null ? [] : [key]))
}

/**
 * Removes, inside a write, those of at most 1,000 blobs that no file names, and the thumbnails of those that no file of
 * its space names; gives back the keys whose bytes are to be removed from the store once the write is committed.
 */
export async function dropBlobs(db: Database, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  // On MariaDB they stay locked until the commit, so that nobody names one after it was found unnamed.
  if (db.dialect === 'mariadb') await db.rows(`SELECT id FROM blobs WHERE ${isOneOf('id', ids)} FOR UPDATE`, ids)
  const thumbnailKeys = await dropThumbnails(db, ids)
  const unnamed = await db.rows<UnnamedBlob>(
    `SELECT b.id, b.\`key\`, b.place FROM blobs b
     WHERE ${isOneOf('b.id', ids)} AND NOT EXISTS (SELECT 1 FROM files f WHERE f.blob_id = b.id)`,
    ids,
  )
  if (unnamed.length === 0) return thumbnailKeys
  const gone = unnamed.map(({ id }) => id)
  await db.change(`DELETE FROM blobs WHERE ${isOneOf('id', gone)}`, gone)
  return [...thumbnailKeys, ...unnamed.flatMap(({ key, place }) => (place === 'store' ? [key] : []))]
}

/** Gives the bytes of an upload the place of equal ones, after the commit; where that fails, those serve on. */
export async function renewBytes({ store, log }: Pick<Deps, 'store' | 'log'>, key: string, by: string): Promise<void> {
  await store
    .replace(key, by)
    .catch(error => log.warn({ err: error }, 'the bytes of an upload do not take their place'))
}

/** Says which keys of the store have a row. */
export async function findNamedKeys(db: Database, keys: string[]): Promise<Set<string>> {
  const rows = await db.rows<{ key: string }>(
    `SELECT \`key\` FROM blobs WHERE place = 'store' AND ${isOneOf('`key`', keys)}
     UNION ALL SELECT \`key\` FROM space_thumbnails WHERE ${isOneOf('`key`', keys)}`,
    keys,
  )
  return new Set(rows.map(row => row.key))
}

/**
 * The same for those who put bytes aside, to whom all are named while a hold lasts: a backup may have read a row that is
 * gone, and an import may have old bytes without a row yet.
 */
export async function findKeptKeys({ db, leases }: Pick<Deps, 'db' | 'leases'>, keys: string[]): Promise<Set<string>> {
  // Before, for an import that ends now has just given its bytes their rows; and after, for a backup that begins later
  // reads no row that was gone before.
  const wasHeld = await leases.isHeld(backupPrefix)
  const named = await findNamedKeys(db, keys)
  return wasHeld || (await leases.isHeld(backupPrefix)) ? new Set(keys) : named
}

/**
 * Removes bytes whose write has failed, unless a row names them: the failure may have come after the commit. Where nobody
 * can say, they are the sweeper's.
 */
export async function discardBlobs(
  { db, store, log }: Pick<Deps, 'db' | 'store' | 'log'>,
  blobs: readonly ReceivedBlob[],
): Promise<void> {
  const keys = blobs.flatMap(({ key, inline }) => (inline === null ? [key] : []))
  if (keys.length === 0) return
  try {
    const named = await findNamedKeys(db, keys)
    for (const key of keys) if (!named.has(key)) await store.remove(key)
  } catch (error) {
    log.warn({ err: error }, 'the bytes of a failed upload stay until they are swept')
  }
}
