/** Which keys of the store rows refer to, how their bytes must be, and the removal of bytes that no row refers to. */
import type { ReceivedBlob } from '../blobs/receive.ts'
import { mayBeCommitted } from '../db/connections.ts'
import type { Database } from '../db/database.ts'
import { backupPrefix } from '../db/leases.ts'
import { isOneOf, isOneOfMany } from '../db/values.ts'
import type { Deps } from '../deps.ts'

/** Bytes that have a row. */
export interface NamedBytes {
  /** Of the content's row, or the thumbnail's. */
  id: number
  key: string
  size: number
  /** In hex; null for a thumbnail, which is drawn again if it is lost. */
  sha256: string | null
  /** For people: `content 7`. */
  name: string
}

/** The rows of contents and thumbnails whose bytes are in the store. */
const namedWhere = (condition: string): string =>
  `SELECT id, \`key\`, size, sha256 FROM blobs WHERE place = 'store' AND ${condition}
   UNION ALL SELECT id, \`key\`, size, NULL FROM file_thumbnails WHERE bytes IS NULL AND ${condition}`

/** Maps keys of contents and thumbnails to what their rows say; other keys have no entry. */
export async function findNamed(db: Database, keys: readonly string[]): Promise<Map<string, NamedBytes>> {
  if (keys.length === 0) return new Map()
  const { condition, values } = isOneOfMany(db.dialect, '`key`', keys)
  const rows = await db.rows<Omit<NamedBytes, 'name'>>(namedWhere(condition), values)
  return new Map(
    rows.map(row => [row.key, { ...row, name: `${row.sha256 === null ? 'thumbnail' : 'content'} ${row.id}` }]),
  )
}

/** Returns the keys that have a row: of a content, a thumbnail or an unfinished upload. */
export async function findNamedKeys(db: Database, keys: string[]): Promise<Set<string>> {
  const rows = await db.rows<{ key: string }>(
    `SELECT \`key\` FROM (${namedWhere(isOneOf('`key`', keys))}) named
     UNION ALL SELECT blob_key FROM uploads WHERE ${isOneOf('blob_key', keys)}`,
    keys,
  )
  return new Set(rows.map(row => row.key))
}

/**
 * The same for callers that remove bytes. While a backup or an import holds the store, it returns all keys: a backup
 * may have read a row that is gone by now, and an import may have bytes without a row yet.
 */
export async function findKeptKeys({ db, leases }: Pick<Deps, 'db' | 'leases'>, keys: string[]): Promise<Set<string>> {
  // Check before the query, because an import that ends now has just added its rows. Check again after it: a backup
  // that begins later cannot have read a row that was already gone.
  const wasHeld = await leases.isHeld(backupPrefix)
  const named = await findNamedKeys(db, keys)
  return wasHeld || (await leases.isHeld(backupPrefix)) ? new Set(keys) : named
}

/** Received bytes that were not acknowledged, and the error because of which. */
interface FailedBytes {
  blob: ReceivedBlob
  error: unknown
}

/**
 * Removes bytes whose write has failed, unless a row refers to them: the error may have come after the commit. While a
 * commit may still be under way, or when the database does not answer, the sweeper decides later.
 */
export async function discardBlobs(
  { db, store, log }: Pick<Deps, 'db' | 'store' | 'log'>,
  failed: readonly FailedBytes[],
): Promise<void> {
  const keys = failed.flatMap(({ blob, error }) => (blob.inline === null && !mayBeCommitted(error) ? [blob.key] : []))
  if (keys.length === 0) return
  try {
    const named = await findNamedKeys(db, keys)
    for (const key of keys) if (!named.has(key)) await store.remove(key)
  } catch (error) {
    log.warn({ err: error }, 'the bytes of a failed upload stay until they are swept')
  }
}
