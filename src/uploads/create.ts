/** Begins an upload: checks all that can be known before its bytes, and holds room for them. */
import { accountOf, type Caller, type Visitor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { confirmActor } from '../access/confirm-actor.ts'
import { networkOf } from '../access/network.ts'
import { isInOwnTree } from '../access/reach.ts'
import { metadataBytesPerChange } from '../api/limits.ts'
import { takeRandom } from '../base/random.ts'
import { newBlobKey, tooLarge } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { UploadRow } from '../db/models/uploads.ts'
import type { Deps } from '../deps.ts'
import { findFolder } from '../files/find.ts'
import { nameIn } from '../files/hand-in.ts'
import { lockSpaceOf } from '../files/lock-spaces.ts'
import { refuseOtherContent } from '../files/replace.ts'
import { requireQuota, reserve } from '../files/space.ts'
import type { EndedUpload } from '../files/unfinished-uploads.ts'
import { admitProperties, findReplaced } from '../files/upload.ts'
import { dropGivenWay, giveWay } from '../files/visitor-room.ts'
import { findOwnVisit } from '../links/visits.ts'
import type { NewUpload } from './contract.ts'
import { expiryOf } from './expiry.ts'
import { findRoomByLink, refuseBeyondQuota, refuseFurther } from './limits.ts'
import { findById, noUpload, type Upload } from './rows.ts'

type Sender = Pick<UploadRow, 'user_id' | 'key_id' | 'link_id' | 'visit_hash' | 'network'>

/** Whose the upload is. A cookie that matches no visit of the link may have been planted, and is ignored. */
async function senderOf(db: Database, caller: Caller): Promise<Sender> {
  if (caller.link === null) {
    const { userId, key } = caller
    return { user_id: userId, key_id: key?.id ?? null, link_id: null, visit_hash: null, network: null }
  }
  const { link, visitHash, address } = caller
  const visit = await findOwnVisit(db, link.id, visitHash)
  return { user_id: null, key_id: null, link_id: link.id, visit_hash: visit, network: networkOf(address) }
}

type CreateDeps = Pick<Deps, 'db' | 'config' | 'store' | 'freeSpace' | 'changes' | 'linkLimits' | 'clock' | 'log'>

/** Inside the write: makes room for a further upload. Returns those that gave way to it, to be dropped. */
async function makeRoom(
  db: Database,
  actor: Caller,
  spaceId: number,
  length: number,
  now: number,
): Promise<EndedUpload[]> {
  if (actor.link !== null) return giveWay(db, () => findRoomByLink(db, actor, spaceId, length, now))
  await refuseFurther(db, actor)
  return []
}

/** Saves the upload with what it holds free. Returns those that gave way to it. */
async function save(
  deps: CreateDeps,
  actor: Caller,
  { length, header, target }: NewUpload,
  { id, now }: { id: string; now: number },
): Promise<EndedUpload[]> {
  const { db, config } = deps
  let ended: EndedUpload[] = []
  await actorWrite(db, actor, async record => {
    record.nothing()
    await lockSpaceOf(db, actor, target.parent_id)
    // A change of the link that was committed since the request began holds; it takes the same lock.
    if (actor.link !== null) await confirmActor(db, actor, actor.permissions)
    const place = await findFolder(db, actor, target.parent_id, 'add')
    const replaced = await findReplaced(db, actor, place, target.on_conflict, nameIn(place, actor, target.name))
    if (target.if_match !== undefined) refuseOtherContent(target.if_match, replaced)
    await admitProperties(db, actor, target, replaced)
    ended = await makeRoom(db, actor, place.spaceId, length, now)
    if (replaced === undefined) await requireQuota(db, place.spaceId, 0, 1)
    else await refuseBeyondQuota(db, actor, place.spaceId, length)
    // What a visitor has announced is not in the way of the owner.
    const reserved = actor.link === null ? Math.max(0, length - (replaced?.size ?? 0)) : 0
    await reserve(db, place.spaceId, reserved)
    const sender = await senderOf(db, actor)
    await db.insertAll(db.uploads, [
      {
        id,
        ...sender,
        space_id: place.spaceId,
        header,
        target: JSON.stringify({ ...target, parent_id: place.folderId }),
        length,
        reserved,
        blob_key: newBlobKey(),
        state: length === 0 && !target.is_explicit ? 'whole' : 'open',
        created_at: now,
        expires_at: expiryOf(
          config,
          { length, received: 0, created_at: now },
          { isOwnPlace: await isInOwnTree(db, actor, { space_id: place.spaceId }), now },
        ),
      },
    ])
  })
  return ended
}

/** Counts a visitor's upload for the day. Returns what gives it back, for one that is not begun. */
async function countByLink({ db, linkLimits }: CreateDeps, visitor: Visitor, length: number, now: number) {
  // The write looks again. This look keeps what is refused from counting.
  await findRoomByLink(db, visitor, visitor.root.spaceId, length, now)
  const network = networkOf(visitor.address)
  await linkLimits.countFile(visitor.link.id, network)
  return () => linkLimits.giveBackFile(visitor.link.id, network)
}

/**
 * Begins an upload. Throws as `uploadFile` does, except for the content, and `file_too_large`, `storage_full`, `in_use`
 * and `quota_exceeded` as `refuseFurther` and `findRoomByLink`, `rate_limited` for too many files by a link, and
 * `precondition_failed` if the file to be replaced is not the one that is meant.
 */
export async function createUpload(deps: CreateDeps, actor: Caller, given: NewUpload): Promise<Upload> {
  const { db, config, freeSpace, changes, clock } = deps
  const { length, header } = given
  if (length > config.maxFileSize) throw tooLarge(config.maxFileSize)
  await freeSpace.admit(length)
  const [id, now] = [takeRandom(16).toString('hex'), clock.now()]
  const giveBack = actor.link === null ? undefined : await countByLink(deps, actor, length, now)
  let ended: EndedUpload[] = []
  try {
    await changes.count(accountOf(actor), 1 + Math.floor((header?.length ?? 0) / metadataBytesPerChange))
    ended = await save(deps, actor, given, { id, now })
  } catch (error) {
    await giveBack?.()
    throw error
  }
  await dropGivenWay(deps, ended)
  const upload = await findById(db, id, now)
  if (upload === undefined) throw noUpload()
  return upload
}
