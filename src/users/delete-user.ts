/** Deletes a user, and deletes or transfers the user's files. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite, type SliceWrite } from '../access/confirmed-write.ts'
import { refuseOverruling } from '../access/refuse.ts'
import { endSessions, permissionsOf } from '../access/sessions.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { deleteUser as endpoint } from '../api/users.ts'
import { AppError, invalidField } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { Recorder } from '../db/recorder.ts'
import type { Deps } from '../deps.ts'
import { leaseTransfer } from '../files/abandoned-transfers.ts'
import { hasItems } from '../files/delete/leaves.ts'
import { deleteAllFiles } from '../files/delete/whole-space.ts'
import { hasItemsElsewhere, leaveItemsElsewhere } from '../files/left-behind.ts'
import type { UnnamedBytes } from '../files/removals.ts'
import { refuseTooDeepTransfer, startTransfer } from '../files/transfer.ts'
import type { Handover } from '../files/transfer-wrapper.ts'
import { endUploads } from '../files/unfinished-uploads.ts'
import { handOverTeams } from '../spaces/hand-over.ts'
import { deleteMarks, hasManyMarks } from './delete-marks.ts'
import { findProfile, findUser, type ProfileRow } from './find.ts'
import { refuseLastAdmin, refuseOwn } from './rights.ts'

type DeleteInput = ParsedInputOf<typeof endpoint>

/**
 * Deletes a user with keys, sessions, tags and space; the events stay. Files are deleted or transferred as `files`
 * says, in slices. What they put into others' places stays there. If one slice is not enough, the user is disabled
 * first. The user stays disabled if a slice fails or the actor loses the permission; anybody with the permission can
 * then repeat the call, and a job finishes a transfer that has begun. Throws `not_found`, `protected`, `in_use`,
 * `quota_exceeded`, `invalid_input` on `to`, and before each slice as `confirmedWrite` and `confirmDeletion`.
 */
export async function deleteUser(deps: Deps, actor: Principal, input: DeleteInput): Promise<void> {
  const { db } = deps
  const { user, receiver, done } = await confirmedWrite(db, actor, record => begin(db, actor, input, record))
  const write: SliceWrite = work =>
    confirmedWrite(db, actor, async record => {
      await confirmDeletion(db, actor, input)
      return work(record)
    })
  let gone = done
  while (gone === null) {
    await leaveItemsElsewhere(db, write, user)
    if (receiver === null) await deleteAllFiles(deps, write, user.space_id)
    else await leaseTransfer(deps, write, handoverOf(user, receiver))
    // Delete the marks after the files; otherwise a deletion that stops leaves files without their tags.
    if (await hasManyMarks(db, user.id)) await deleteMarks(db, write, user.id)
    gone = await write(record => finish(db, actor, input, record))
  }
  await deps.removals.add(gone.unnamed)
}

const handoverOf = (user: ProfileRow, receiver: ProfileRow): Handover => ({
  from: { userId: user.id, spaceId: user.space_id, username: user.username },
  to: { userId: receiver.id, spaceId: receiver.space_id },
})

/** The user who gets the files; null if nobody does. Throws `invalid_input` and `not_found`. */
async function findReceiver(db: Database, { id, to }: DeleteInput): Promise<ProfileRow | null> {
  if (to === undefined) return null
  if (to === id) throw invalidField('to', 'The files cannot go to the user who is deleted')
  const receiver = await findUser(db, to)
  // Otherwise two users who are deleted at the same time could transfer their files to each other.
  if (receiver.is_active === 0) throw invalidField('to', 'The files cannot go to a disabled user')
  return receiver
}

/**
 * Returns the user to delete and the receiver of the files. Throws as `deleteUser`, except `quota_exceeded`. The result
 * is only reliable inside the write that begins the deletion; before that it may become outdated.
 */
export async function checkDeletion(db: Database, actor: Principal, input: DeleteInput) {
  const user = await findUser(db, input.id)
  refuseOwn(actor, user, 'You cannot delete your own account')
  refuseOverruling(actor, permissionsOf(user), 'user')
  await refuseLastAdmin(db, user)
  const receiver = await findReceiver(db, input)
  await refuseOrphans(db, user, input)
  return { user, receiver }
}

/**
 * Checks before each later slice what may have changed since the beginning. Throws `forbidden` if the user has got a
 * permission that the actor lacks, `protected` if the user has been enabled again, and as `findReceiver`.
 */
async function confirmDeletion(db: Database, actor: Principal, input: DeleteInput): Promise<void> {
  const user = await findProfile(db, input.id)
  // Another request has deleted the user meanwhile.
  if (user === undefined) return
  refuseOverruling(actor, permissionsOf(user), 'user')
  if (user.is_active === 1) throw new AppError('protected', 'This user has been enabled again meanwhile')
  await findReceiver(db, input)
}

async function refuseOrphans(db: Database, user: ProfileRow, { files }: DeleteInput): Promise<void> {
  if (files === undefined && (await hasItems(db, user.space_id))) throw new AppError('in_use', 'This user owns files')
}

/** Checks the deletion and does what fits in one write. If that is not all, it locks the user out. */
async function begin(db: Database, actor: Principal, input: DeleteInput, record: Recorder) {
  const { user, receiver } = await checkDeletion(db, actor, input)
  await handOverTeams(db, record, actor, user.id, input.spaces_to)
  await lockSpace(db, user.space_id)
  // Check again: an upload may have finished before the lock was taken.
  await refuseOrphans(db, user, input)
  let isDone = !(await hasItems(db, user.space_id))
  const isElsewhere = await hasItemsElsewhere(db, user)
  if (!isDone && receiver !== null) {
    await refuseTooDeepTransfer(db, user.space_id)
    isDone = !(await startTransfer(db, handoverOf(user, receiver), record))
  }
  if (isElsewhere || (await hasManyMarks(db, user.id))) isDone = false
  if (isDone) return { user, receiver, done: await removeUser(db, user, input, record) }
  await lockOut(db, user, record)
  return { user, receiver, done: null }
}

async function lockOut(db: Database, user: ProfileRow, record: Recorder): Promise<void> {
  await db.update(db.users, { is_active: 0, updated_at: Date.now() }, user.id)
  await endSessions(db, user.id, null)
  record('user.update', { id: user.id }, { username: user.username, is_active: false })
}

/** Removes the user unless a concurrent request has added items meanwhile; null if it has. */
async function finish(db: Database, actor: Principal, input: DeleteInput, record: Recorder): Promise<Removed | null> {
  record.nothing()
  const user = await findProfile(db, input.id)
  if (user === undefined) return { unnamed: [] }
  await lockSpace(db, user.space_id)
  if ((await hasItems(db, user.space_id)) || (await hasItemsElsewhere(db, user))) return null
  await handOverTeams(db, record, actor, user.id, input.spaces_to)
  return removeUser(db, user, input, record)
}

interface Removed {
  /** Bytes in the store that no row refers to any more. */
  unnamed: UnnamedBytes[]
}

async function removeUser(db: Database, user: ProfileRow, input: DeleteInput, record: Recorder): Promise<Removed> {
  const unnamed = await endUploads(db, 'x.user_id = $1 OR x.space_id = $2', [user.id, user.space_id])
  await db.change('DELETE FROM spaces WHERE id = $1', [user.space_id])
  await db.change('DELETE FROM users WHERE id = $1', [user.id])
  record('user.delete', { id: user.id }, { username: user.username, files: input.files, to: input.to })
  return { unnamed }
}
