/** Checks an upload when its first byte arrives, and determines how many bytes it may have. */

import type { Actor, Caller } from '../access/actor.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { uploadFile as endpoint } from '../api/files.ts'
import { inlineLimit } from '../api/limits.ts'
import { type Allowance, tooLarge } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { checkValues, requireValues } from '../metadata/values.ts'
import { findSwitches } from '../settings/find.ts'
import { findFolder } from './find.ts'
import { nameIn } from './hand-in.ts'
import type { ItemRow } from './item-row.ts'
import { findReplaceable } from './replace.ts'
import { findLargestSize, refuseBeyond } from './space.ts'
import type { openUnderWay } from './under-way.ts'
import { findReplaced } from './upload.ts'

type UploadInput = ParsedInputOf<typeof endpoint>

/** Bytes that a form may need besides its file: eight fields of 64 KiB, and the headers of the parts. */
const formOverhead = 1024 ** 2

/**
 * Checks an upload at the file's first byte: folder, name, metadata, size and quota. Returns how many bytes may follow.
 * Folder, name and metadata are checked only if they were sent before the file; otherwise they may still follow.
 */
export async function checkUpload(
  { db, config, begin }: Pick<Deps, 'db' | 'config'> & { begin: ReturnType<typeof openUnderWay> },
  actor: Caller,
  input: UploadInput,
  contentLength: number | null,
): Promise<Allowance> {
  const most = config.maxFileSize
  // A small file stays in memory, and the write makes the same checks.
  if (contentLength !== null && contentLength <= inlineLimit) return { limit: most, ...uncounted }
  const least = (contentLength ?? 0) - formOverhead
  if (least > most) throw tooLarge(most)
  let taken: ItemRow | undefined
  const place = await findFolder(db, actor, input.parent_id ?? null, 'add')
  const { spaceId } = place
  if (input.parent_id !== undefined && input.name !== undefined) {
    taken = await findReplaced(db, actor, place, input.on_conflict, nameIn(place, actor, input.name))
  }
  await checkMetadata(db, input)
  const upload = begin(spaceId, () => findReturned(db, spaceId, input, taken))
  try {
    const quota = await upload.readQuota()
    if (least > 0) await upload.require(least)
    if (!mayReplace(input)) refuseBeyond(quota, 0, 1)
    return { limit: most, ...upload }
  } catch (error) {
    upload.end()
    throw error
  }
}

/** The same for new content of a file that is there. Throws as `findReplaceable`, and for size and quota. */
export async function checkReplacement(
  { db, config, begin }: Pick<Deps, 'db' | 'config'> & { begin: ReturnType<typeof openUnderWay> },
  actor: Actor,
  id: number,
  ifMatch: string | null,
  contentLength: number | null,
): Promise<Allowance> {
  const most = config.maxFileSize
  const file = await findReplaceable(db, actor, id, ifMatch)
  if (contentLength !== null && contentLength <= inlineLimit) return { limit: most, ...uncounted }
  const least = (contentLength ?? 0) - formOverhead
  if (least > most) throw tooLarge(most)
  const upload = begin(file.space_id, async () => file.size)
  try {
    if (least > 0) await upload.require(least)
    return { limit: most, ...upload }
  } catch (error) {
    upload.end()
    throw error
  }
}

const uncounted: Omit<Allowance, 'limit'> = {
  take: async () => undefined,
  store: work => work(),
  end: () => undefined,
}

/** Whether the upload may replace an existing file; yes as long as the `on_conflict` field may still follow. */
const mayReplace = ({ on_conflict }: Pick<UploadInput, 'on_conflict'>): boolean =>
  on_conflict === undefined || on_conflict === 'replace'

/**
 * The most bytes that replacing a file can free: those of `taken`, if rule, folder and name came before the file. While
 * one of them may still follow, it could be any file.
 */
export async function findReturned(
  db: Database,
  spaceId: number,
  input: UploadInput,
  taken?: ItemRow,
): Promise<number> {
  if (!mayReplace(input)) return 0
  const isKnown = input.on_conflict === 'replace' && input.parent_id !== undefined && input.name !== undefined
  return isKnown ? (taken?.size ?? 0) : findLargestSize(db, spaceId)
}

/**
 * Checks the metadata. Required values are left to the write if the upload may replace a file that has them already.
 */
async function checkMetadata(db: Database, input: UploadInput): Promise<void> {
  if (input.metadata === undefined) return
  const switches = await findSwitches(db)
  const values = await checkValues(db, switches, input.metadata)
  if (!mayReplace(input)) await requireValues(db, switches, values, null)
}
