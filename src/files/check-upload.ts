/** What of an upload can be refused when its first byte arrives, and how much of it may come. */
import type { Actor } from '../access/actor.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { uploadFile as endpoint } from '../api/files.ts'
import { nameTaken } from '../base/errors.ts'
import { type Allowance, inlineLimit, tooLarge } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { checkValues, requireValues } from '../metadata/values.ts'
import { findSwitches } from '../settings/find.ts'
import { findByName, findFolder, type ItemRow } from './find.ts'
import { findLargestSize, refuseBeyond } from './space.ts'
import type { openUnderWay } from './under-way.ts'

type UploadInput = ParsedInputOf<typeof endpoint>

/** Bytes that a form may need beside its file: eight fields of 64 KiB, and the parts' own headers. */
const formOverhead = 1024 ** 2

/**
 * Refuses, at the file's first byte, what can be refused by then: its folder, name, metadata and size, and the quota;
 * gives back how much may come. Folder, name and metadata count only where they were sent before the file; otherwise
 * they may still come.
 */
export async function checkUpload(
  { db, config, begin }: Pick<Deps, 'db' | 'config'> & { begin: ReturnType<typeof openUnderWay> },
  actor: Actor,
  input: UploadInput,
  contentLength: number | null,
): Promise<Allowance> {
  const most = config.maxFileSize
  // It stays in memory, and the write refuses the same.
  if (contentLength !== null && contentLength <= inlineLimit) return { limit: most, ...uncounted }
  const least = (contentLength ?? 0) - formOverhead
  if (least > most) throw tooLarge(most)
  let taken: ItemRow | undefined
  const { spaceId } = await findFolder(db, actor, input.parent_id ?? null, 'add')
  if (input.parent_id !== undefined) {
    if (input.name !== undefined) taken = await findByName(db, spaceId, input.parent_id, input.name)
    const clash = input.on_conflict === 'fail' || (input.on_conflict === 'replace' && taken?.is_directory === 1)
    if (taken !== undefined && clash) throw nameTaken(taken.name)
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

const uncounted: Omit<Allowance, 'limit'> = {
  take: async () => undefined,
  store: work => work(),
  end: () => undefined,
}

/** Whether a file that is there may get the new content: while the rule may still come, it may. */
const mayReplace = ({ on_conflict }: UploadInput): boolean => on_conflict === undefined || on_conflict === 'replace'

/** Bytes that a replaced file gives back, at most: while rule or folder may still come it could be any file. */
async function findReturned(db: Database, spaceId: number, input: UploadInput, taken?: ItemRow): Promise<number> {
  if (!mayReplace(input)) return 0
  if (input.on_conflict === 'replace' && taken !== undefined) return taken.size
  return findLargestSize(db, spaceId)
}

/** A file that may yet turn out to replace another may find there what is required; the write asks again for all. */
async function checkMetadata(db: Database, input: UploadInput): Promise<void> {
  if (input.metadata === undefined) return
  const switches = await findSwitches(db)
  const values = await checkValues(db, switches, input.metadata)
  if (!mayReplace(input)) await requireValues(db, switches, values, null)
}
