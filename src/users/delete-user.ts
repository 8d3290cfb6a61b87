/** Deleting a user, with what becomes of the files. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { refuseOverruling } from '../access/refuse.ts'
import { endSessions, permissionsOf } from '../access/sessions.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { deleteUser as endpoint } from '../api/users.ts'
import { AppError, invalidField } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { Recorder } from '../db/write.ts'
import type { Deps } from '../deps.ts'
import { deleteAllFiles } from '../files/delete/all.ts'
import { hasItems } from '../files/delete/leaves.ts'
import { finishTransfer, type Handover, refuseTooDeepTransfer, startTransfer } from '../files/transfer.ts'
import { findProfile, findUser, type ProfileRow } from './find.ts'
import { refuseLastAdmin, refuseOwn } from './rights.ts'

type DeleteInput = ParsedInputOf<typeof endpoint>

/**
 * Deletes a user with keys, sessions, tags and space; the events stay. Files are deleted or handed over as `files` says,
 * in slices. The user is disabled before a second slice, and stays so where one fails or the actor may do it no more, so
 * that the call can be made again, by whoever may. Throws `not_found`, `protected`, `in_use`, `quota_exceeded`,
 * `invalid_input` on `to`, and before each slice as `confirmedWrite`.
 */
export async function deleteUser(deps: Deps, actor: Principal, input: DeleteInput): Promise<void> {
  const { db } = deps
  const { user, receiver, isDone } = await confirmedWrite(db, actor, record => begin(db, actor, input, record))
  let isGone = isDone
  while (!isGone) {
    if (receiver === null) await deleteAllFiles(deps, actor, user.space_id)
    else await finishTransfer(deps, actor, handoverOf(user, receiver))
    isGone = await confirmedWrite(db, actor, record => finish(db, input, record))
  }
}

const handoverOf = (user: ProfileRow, receiver: ProfileRow): Handover => ({
  from: { userId: user.id, spaceId: user.space_id, username: user.username },
  to: { userId: receiver.id, spaceId: receiver.space_id },
})

/** Who gets the files, null where nobody does. Throws `invalid_input` and `not_found`. */
async function findReceiver(db: Database, { id, to }: DeleteInput): Promise<ProfileRow | null> {
  if (to === undefined) return null
  if (to === id) throw invalidField('to', 'The files cannot go to the user who is deleted')
  const receiver = await findUser(db, to)
  // Two who are deleted at once would otherwise hand their files to each other.
  if (receiver.is_active === 0) throw invalidField('to', 'The files cannot go to a disabled user')
  return receiver
}

/**
 * Who would be deleted and who would get the files. Throws as `deleteUser`, but `quota_exceeded`. What it finds may be
 * otherwise when the deletion begins, unless it is asked inside that write.
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

async function refuseOrphans(db: Database, user: ProfileRow, { files }: DeleteInput): Promise<void> {
  if (files === undefined && (await hasItems(db, user.space_id))) throw new AppError('in_use', 'This user owns files')
}

/** Refuses what is not allowed, does what fits one write, and locks the user out where there is more to do. */
async function begin(db: Database, actor: Principal, input: DeleteInput, record: Recorder) {
  const { user, receiver } = await checkDeletion(db, actor, input)
  await lockSpace(db, user.space_id)
  // Once more, for an upload may have come in before the lock.
  await refuseOrphans(db, user, input)
  let isDone = !(await hasItems(db, user.space_id))
  if (!isDone && receiver !== null) {
    await refuseTooDeepTransfer(db, user.space_id)
    isDone = !(await startTransfer(db, handoverOf(user, receiver), record))
  }
  if (isDone) await removeUser(db, user, input, record)
  else await lockOut(db, user, record)
  return { user, receiver, isDone }
}

async function lockOut(db: Database, user: ProfileRow, record: Recorder): Promise<void> {
  await db.update(db.users, { is_active: 0, updated_at: Date.now() }, user.id)
  await endSessions(db, user.id, null)
  record('user.update', { id: user.id }, { username: user.username, is_active: false })
}

/** Removes the user, unless a request that was under way has left something; gives back whether the user is gone. */
async function finish(db: Database, input: DeleteInput, record: Recorder): Promise<boolean> {
  record.nothing()
  const user = await findProfile(db, input.id)
  if (user === undefined) return true
  await refuseLastAdmin(db, user)
  await lockSpace(db, user.space_id)
  if (await hasItems(db, user.space_id)) return false
  await removeUser(db, user, input, record)
  return true
}

async function removeUser(db: Database, user: ProfileRow, input: DeleteInput, record: Recorder): Promise<void> {
  // A folder that waits in another space for a transfer to this user goes back to its owner.
  await db.change(
    'UPDATE files SET owner_id = (SELECT s.owner_id FROM spaces s WHERE s.id = files.space_id) WHERE owner_id = $1',
    [user.id],
  )
  await db.change('DELETE FROM spaces WHERE id = $1', [user.space_id])
  await db.change('DELETE FROM users WHERE id = $1', [user.id])
  record('user.delete', { id: user.id }, { username: user.username, files: input.files, to: input.to })
}
