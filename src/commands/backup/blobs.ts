/** Copies the bytes of files in the server's store into a backup, and counts those that are damaged or missing. */

import { openSemaphore } from '../../base/semaphore.ts'
import { driverError } from '../../db/connections.ts'
import type { Database } from '../../db/database.ts'
import { type CopyOptions, DamagedError, type Outcome } from './contents.ts'
import { findInlineLosses } from './inline.ts'
import type { Part } from './manifest.ts'
import type { Place } from './place.ts'
import { shorten } from './problems.ts'
import { type BlobRow, readBlobs, type Slices } from './rows.ts'

/** Content that differs from its row. */
interface LostContent {
  sha256: string
  size: number
  /** `is missing`, `has changed` and the like. */
  reason: string
  /** One of the files with this content: `ann: report.pdf (id:42)`. */
  file: string
}

interface Losses {
  /** The first thousand losses, and the total number. */
  lost: LostContent[]
  lost_count: number
}

export interface Copied extends Losses {
  count: number
  bytes: number
  /** How many were copied in this run, and how. */
  outcomes: Record<Outcome, number>
}

/** Losses listed one by one; when a whole store is gone, the number says enough. */
const toldLosses = 1000
/** Contents copied at the same time: each of them waits for the disk. */
const atOnce = 8

export const nothingCopied = (): Copied => ({
  count: 0,
  bytes: 0,
  outcomes: { copied: 0, reflinked: 0, linked: 0, kept: 0 },
  lost: [],
  lost_count: 0,
})

interface NamedFile {
  id: number
  name: string
  username: string
}

/** Describes a file for people; the owner's name says whom to ask. */
async function describeFile(db: Database, blobId: number): Promise<string> {
  const query = db.row<NamedFile>(
    `SELECT f.id, f.name, u.username FROM files f JOIN spaces s ON s.id = f.space_id JOIN users u ON u.id = s.owner_id
     WHERE f.blob_id = $1 LIMIT 1`,
    [blobId],
  )
  // Damaged rows are reported elsewhere.
  const row = await query.catch(error => {
    if (driverError(error).code === 'SQLITE_CORRUPT') return undefined
    throw error
  })
  return row === undefined ? 'no file' : `${row.username}: ${row.name} (id:${row.id})`
}

/** Counts a lost content. */
export async function addLoss(db: Database, losses: Losses, blob: BlobRow, { message }: DamagedError): Promise<void> {
  losses.lost_count += 1
  if (losses.lost.length >= toldLosses) return
  const { size } = blob
  losses.lost.push({ sha256: shorten(blob.sha256), size, reason: message, file: await describeFile(db, blob.id) })
}

/** Counts the small contents in the rows of `blobs` and `blob_bytes` that no longer match their size and hash. */
export async function countInlineLosses(db: Database, blobs: Slices, contents: Slices): Promise<Losses> {
  const losses: Losses = { lost: [], lost_count: 0 }
  for await (const { blob, error } of findInlineLosses(blobs, contents)) await addLoss(db, losses, blob, error)
  return losses
}

/** Adds other losses before a copy's own. */
export const addLosses = (copied: Copied, { lost, lost_count }: Losses): Copied => ({
  ...copied,
  lost: [...lost, ...copied.lost].slice(0, toldLosses),
  lost_count: lost_count + copied.lost_count,
})

/** Runs `work` on every row of a slice, a few at a time; after a failure no further one starts. */
export async function eachBlob(blobs: readonly BlobRow[], work: (blob: BlobRow) => Promise<void>): Promise<void> {
  const withPermit = openSemaphore({ atOnce })
  const failures: unknown[] = []
  const run = async (blob: BlobRow) => {
    if (failures.length === 0) await work(blob).catch(error => failures.push(error))
  }
  await Promise.all(blobs.map(blob => withPermit(() => run(blob))))
  if (failures.length > 0) throw failures[0]
}

/** Thrown when a row that was read has been deleted since. Its bytes may be gone, so the rows must be read again. */
export class OutdatedError extends Error {}

/** Whether the content still has the key in its row. By its id: a damaged hash is in no index. */
const isCurrent = async (db: Database, { id, key }: BlobRow): Promise<boolean> =>
  (await db.row('SELECT id FROM blobs WHERE id = $1 AND `key` = $2', [id, key])) !== undefined

/**
 * Copies all contents that the rows name, by `bring`. Content that the server itself has lost is counted and skipped.
 * Throws OutdatedError when the hold expired, for example while the machine slept.
 */
export async function saveBlobs(
  db: Database,
  place: Pick<Place, 'contents'>,
  parts: readonly Part[],
  bring: (blob: BlobRow) => Promise<Outcome>,
  { signal, onBytes }: CopyOptions,
): Promise<Copied> {
  const copied = nothingCopied()
  const save = async (blob: BlobRow) => {
    signal.throwIfAborted()
    try {
      copied.outcomes[await bring(blob)] += 1
      copied.count += 1
      copied.bytes += blob.size
      onBytes(blob.size)
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      if (!(await isCurrent(db, blob))) throw new OutdatedError()
      await addLoss(db, copied, blob, error)
    }
  }
  for await (const blobs of readBlobs(place, parts)) await eachBlob(blobs, save)
  return copied
}
