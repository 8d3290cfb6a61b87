/** What of an upload can be refused when its first byte arrives, and how much of it may come. */
import type { Actor } from '../access/actor.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { uploadFile as endpoint } from '../api/files.ts'
import { type Allowance, inlineLimit, tooLarge } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { nameTaken } from '../errors.ts'
import { checkValues, requireValues } from '../metadata/values.ts'
import { findSwitches } from '../settings/find.ts'
import { findByName, findFolder, type ItemRow } from './find.ts'
import { findLargestSize, findRoom, quotaExceeded } from './space.ts'

type UploadInput = ParsedInputOf<typeof endpoint>

/** Bytes that a form may need beside its file: eight fields of 64 KiB, and the parts' own headers. */
const formOverhead = 1024 ** 2

/**
 * Refuses, at the file's first byte, what can be refused by then: its folder, name, metadata and size, and the quota;
 * gives back how much may come. Folder, name and metadata count only where they were sent before the file; otherwise
 * they may still come.
 */
export async function checkUpload(
  { db, config }: Deps,
  actor: Actor,
  input: UploadInput,
  contentLength: number | null,
): Promise<Allowance> {
  const most = config.maxFileSize
  const allowed = { bytes: most, refusal: () => tooLarge(most) }
  // The whole of it is there already, and the write refuses the same.
  if (contentLength !== null && contentLength <= inlineLimit) return allowed
  const least = (contentLength ?? 0) - formOverhead
  if (least > most) throw tooLarge(most)
  let taken: ItemRow | undefined
  if (input.parent_id !== undefined) {
    await findFolder(db, actor.spaceId, input.parent_id)
    if (input.name !== undefined) taken = await findByName(db, actor.spaceId, input.parent_id, input.name)
    const clash = input.on_conflict === 'fail' || (input.on_conflict === 'replace' && taken?.is_directory === 1)
    if (taken !== undefined && clash) throw nameTaken(taken.name)
  }
  await checkMetadata(db, input)
  const room = await findRoom(db, actor.spaceId)
  const bytes = room >= most ? most : Math.max(0, room + (await findReturn(db, actor, input, taken)))
  if (least > bytes) throw quotaExceeded()
  return bytes < most ? { bytes, refusal: quotaExceeded } : allowed
}

/** Bytes that a replaced file gives back, at most: while rule or folder may still come it could be any file. */
async function findReturn(db: Database, actor: Actor, input: UploadInput, taken?: ItemRow): Promise<number> {
  const mayReplace = input.on_conflict === undefined || input.on_conflict === 'replace'
  if (!mayReplace) return 0
  if (input.on_conflict === 'replace' && taken !== undefined) return taken.size
  return findLargestSize(db, actor.spaceId)
}

/** A file that may yet turn out to replace another may find there what is required; the write asks again for all. */
async function checkMetadata(db: Database, input: UploadInput): Promise<void> {
  if (input.metadata === undefined) return
  const switches = await findSwitches(db)
  const values = await checkValues(db, switches, input.metadata)
  if (input.on_conflict === 'rename' || input.on_conflict === 'fail') await requireValues(db, switches, values, null)
}
