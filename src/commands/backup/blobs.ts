/** Brings the bytes of files that lie in the server's store into a backup. */
import type { Database } from '../../db/database.ts'
import { openTurns } from '../../turns.ts'
import { type CopyOptions, DamagedError, type Outcome } from './contents.ts'
import type { Part } from './manifest.ts'
import type { Place } from './place.ts'
import { type BlobRow, readBlobs } from './rows.ts'

/** Content that is not as its row says. */
interface LostContent {
  sha256: string
  size: number
  /** `is missing`, `has changed` and the like. */
  reason: string
  /** One of the files that have it: `ann: report.pdf (id:42)`. */
  file: string
}

export interface Copied {
  count: number
  bytes: number
  /** How many were brought now, and how. */
  outcomes: Record<Outcome, number>
  /** The first thousand of those that could not be had, and how many there are. */
  lost: LostContent[]
  lost_count: number
}

/** Losses that are told one by one: of a store that is gone altogether the number says enough. */
const toldLosses = 1000
/** Contents under way at a time: each of them waits for the disk. */
const atOnce = 8

export const nothingCopied = (): Copied => ({
  count: 0,
  bytes: 0,
  outcomes: { copied: 0, reflinked: 0, linked: 0, kept: 0 },
  lost: [],
  lost_count: 0,
})

/** A file for people; the owner's name tells whom to ask. */
async function describeFile(db: Database, blobId: number): Promise<string> {
  const row = await db.row<{ id: number; name: string; username: string }>(
    `SELECT f.id, f.name, u.username FROM files f JOIN spaces s ON s.id = f.space_id JOIN users u ON u.id = s.owner_id
     WHERE f.blob_id = $1 LIMIT 1`,
    [blobId],
  )
  return row === undefined ? 'no file' : `${row.username}: ${row.name} (id:${row.id})`
}

/** Counts a content that could not be had. */
export async function addLoss(db: Database, copied: Copied, blob: BlobRow, { message }: DamagedError): Promise<void> {
  copied.lost_count += 1
  if (copied.lost.length >= toldLosses) return
  const { sha256, size } = blob
  copied.lost.push({ sha256, size, reason: message, file: await describeFile(db, blob.id) })
}

/** Runs something on every row of a slice, a few at a time; after a failure nothing is begun any more. */
export async function eachBlob(blobs: readonly BlobRow[], work: (blob: BlobRow) => Promise<void>): Promise<void> {
  const takeTurn = openTurns({ atOnce })
  const failures: unknown[] = []
  const run = async (blob: BlobRow) => {
    if (failures.length === 0) await work(blob).catch(error => failures.push(error))
  }
  await Promise.all(blobs.map(blob => takeTurn(() => run(blob))))
  if (failures.length > 0) throw failures[0]
}

/** Thrown where a row that was read is no more: its bytes may be gone too, and the rows must be read again. */
export class OutdatedError extends Error {}

/** Whether the content is still where its row said. */
const isCurrent = async (db: Database, { sha256, key }: BlobRow): Promise<boolean> =>
  (await db.row('SELECT id FROM blobs WHERE sha256 = $1 AND `key` = $2', [sha256, key])) !== undefined

/**
 * Brings all contents that some rows name, by `bring`. What the server itself has lost is counted and left out. Throws
 * OutdatedError where the hold did not last, as when the machine slept.
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
