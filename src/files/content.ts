/** Gives content its row, once for each SHA-256, and takes the row away when no file names it any more. */
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { isTaken } from '../db/failures.ts'

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

/**
 * Removes a blob's row inside a write if no file names it; gives back the key whose bytes are to be removed from the
 * store once the write is committed, or null.
 */
export async function dropBlob(db: Database, id: number): Promise<string | null> {
  const blob = await db.row<{ key: string; place: string }>('SELECT `key`, place FROM blobs WHERE id = $1', [id])
  const dropped = await db.change(
    'DELETE FROM blobs WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM files WHERE files.blob_id = blobs.id)',
    [id],
  )
  return dropped === 1 && blob?.place === 'store' ? blob.key : null
}

/** Says which keys of the store have a row; for the sweeper. */
export async function findNamedKeys(db: Database, keys: string[]): Promise<Set<string>> {
  const list = keys.map((_, index) => `$${index + 1}`).join(', ')
  const rows = await db.rows<{ key: string }>(
    `SELECT \`key\` FROM blobs WHERE place = 'store' AND \`key\` IN (${list})`,
    keys,
  )
  return new Set(rows.map(row => row.key))
}
