/** Begins an upload: checks all that can be known before its bytes, and holds room for them. */
import { type Actor, accountOf } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { maxUnfinishedUploads } from '../api/limits.ts'
import { AppError } from '../base/errors.ts'
import { takeRandom } from '../base/random.ts'
import { newBlobKey, tooLarge } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { findFolder } from '../files/find.ts'
import { nameIn } from '../files/hand-in.ts'
import { lockSpaceOf } from '../files/lock-spaces.ts'
import { refuseOtherContent } from '../files/replace.ts'
import { requireQuota, reserve } from '../files/space.ts'
import { admitProperties, findReplaced } from '../files/upload.ts'
import type { NewUpload } from './contract.ts'
import { expiryOf } from './expiry.ts'
import { findById, noUpload, type Upload } from './rows.ts'

async function refuseTooMany(db: Database, { userId }: Actor): Promise<void> {
  const row = await db.row<{ count: number }>(
    "SELECT COUNT(*) AS count FROM uploads WHERE user_id = $1 AND state <> 'done'",
    [userId],
  )
  if ((row?.count ?? 0) < maxUnfinishedUploads) return
  throw new AppError('in_use', `You have ${maxUnfinishedUploads} unfinished uploads: finish or discard some`)
}

/**
 * Begins an upload. Throws as `uploadFile` does, except for the content, and `file_too_large`, `storage_full`, `in_use`
 * for more than 200 unfinished ones, and `precondition_failed` if the file to be replaced is not the one that is meant.
 */
export async function createUpload(
  { db, config, freeSpace, changes, clock }: Pick<Deps, 'db' | 'config' | 'freeSpace' | 'changes' | 'clock'>,
  actor: Actor,
  { length, header, target }: NewUpload,
): Promise<Upload> {
  if (length > config.maxFileSize) throw tooLarge(config.maxFileSize)
  await freeSpace.admit(length)
  await changes.count(accountOf(actor), 1)
  const id = takeRandom(16).toString('hex')
  const now = clock.now()
  await actorWrite(db, actor, async record => {
    record.nothing()
    await lockSpaceOf(db, actor, target.parent_id)
    const place = await findFolder(db, actor, target.parent_id, 'add')
    const replaced = await findReplaced(db, actor, place, target.on_conflict, nameIn(place, actor, target.name))
    if (target.if_match !== undefined) refuseOtherContent(target.if_match, replaced)
    await admitProperties(db, actor, target, replaced)
    await refuseTooMany(db, actor)
    if (replaced === undefined) await requireQuota(db, place.spaceId, 0, 1)
    const reserved = Math.max(0, length - (replaced?.size ?? 0))
    await reserve(db, place.spaceId, reserved)
    await db.insertAll(db.uploads, [
      {
        id,
        user_id: actor.userId,
        key_id: actor.key?.id ?? null,
        space_id: place.spaceId,
        header,
        target: JSON.stringify({ ...target, parent_id: place.folderId }),
        length,
        reserved,
        blob_key: newBlobKey(),
        state: length === 0 && !target.is_explicit ? 'whole' : 'open',
        created_at: now,
        expires_at: expiryOf(config, now),
      },
    ])
  })
  const upload = await findById(db, id, now)
  if (upload === undefined) throw noUpload()
  return upload
}
