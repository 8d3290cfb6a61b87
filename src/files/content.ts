/** Gives content its row, once for each SHA-256, and takes the row away when no file names it any more. */
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { isTaken } from '../db/failures.ts'
import type { Deps } from '../deps.ts'

interface KnownBlob {
  id: number
  key: string
}

/** Held until the commit on MariaDB, so that nobody drops the content that this write is about to name. */
async function findBlob(db: Database, sha256: string): Promise<KnownBlob | undefined> {
  const lock = db.dialect === 'mariadb' ? 'FOR UPDATE' : ''
  return db.row<KnownBlob>(`SELECT id, \`key\` FROM blobs WHERE sha256 = $1 ${lock}`, [sha256])
}

/**
 * The id of the blob with this content, inside the write that names it. Whether the content is known is asked here
 * and not before, so that no other write can drop it in between. Where another row serves, `blob.key` stays unnamed.
 */
export async function saveBlob(db: Database, blob: ReceivedBlob): Promise<KnownBlob> {
  const known = await findBlob(db, blob.sha256)
  if (known !== undefined) return known
  try {
    const id = await db.insert(db.blobs, {
      key: blob.key,
      place: blob.inline === null ? 'store' : 'inline',
      size: blob.size,
      sha256: blob.sha256,
      created_at: Date.now(),
    })
    if (blob.inline !== null) await db.blobBytes.create({ blob_id: id, bytes: blob.inline })
    return { id, key: blob.key }
  } catch (error) {
    // Two first uploads of one content at a time on MariaDB: the other's row is there now.
    const others = isTaken(error) ? await findBlob(db, blob.sha256) : undefined
    if (others === undefined) throw error
    return others
  }
}

/** `$1, $2, …` for so many values. */
const listOf = (values: readonly unknown[]): string => values.map((_, index) => `$${index + 1}`).join(', ')

interface UnnamedBlob extends KnownBlob {
  place: 'inline' | 'store'
  thumbnail_key: string | null
}

/**
 * Removes, inside a write, those of at most 1,000 blobs that no file names; gives back the keys whose bytes, thumbnails
 * among them, are to be removed from the store once the write is committed.
 */
export async function dropBlobs(db: Database, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  // On MariaDB they stay locked until the commit, so that nobody names one after it was found unnamed.
  if (db.dialect === 'mariadb') await db.rows(`SELECT id FROM blobs WHERE id IN (${listOf(ids)}) FOR UPDATE`, ids)
  const unnamed = await db.rows<UnnamedBlob>(
    `SELECT b.id, b.\`key\`, b.place, t.\`key\` AS thumbnail_key FROM blobs b LEFT JOIN thumbnails t ON t.blob_id = b.id
     WHERE b.id IN (${listOf(ids)}) AND NOT EXISTS (SELECT 1 FROM files f WHERE f.blob_id = b.id)`,
    ids,
  )
  if (unnamed.length === 0) return []
  const gone = unnamed.map(({ id }) => id)
  await db.change(`DELETE FROM blobs WHERE id IN (${listOf(gone)})`, gone)
  return unnamed.flatMap(({ key, place, thumbnail_key }) => [
    ...(place === 'store' ? [key] : []),
    ...(thumbnail_key === null ? [] : [thumbnail_key]),
  ])
}

/** Removes bytes that no row names any more. What cannot be removed now is left to the sweeper. */
export async function removeUnnamed(
  { store, log }: Pick<Deps, 'store' | 'log'>,
  keys: readonly string[],
): Promise<void> {
  try {
    for (const key of keys) await store.remove(key)
  } catch (error) {
    log.warn({ err: error }, 'unnamed bytes stay in the store')
  }
}

/** Says which keys of the store have a row; for the sweeper. */
export async function findNamedKeys(db: Database, keys: string[]): Promise<Set<string>> {
  const rows = await db.rows<{ key: string }>(
    `SELECT \`key\` FROM blobs WHERE place = 'store' AND \`key\` IN (${listOf(keys)})
     UNION ALL SELECT \`key\` FROM thumbnails WHERE \`key\` IN (${listOf(keys)})`,
    keys,
  )
  return new Set(rows.map(row => row.key))
}
