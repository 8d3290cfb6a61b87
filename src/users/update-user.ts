/** Changes a user on behalf of an administrator. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { callerOf } from '../access/network.ts'
import { refuseEmpowering, refuseOverruling } from '../access/refuse.ts'
import { endSessions, permissionsOf } from '../access/sessions.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { updateUser as endpoint } from '../api/users.ts'
import type { Database } from '../db/database.ts'
import { toFlag } from '../db/models/columns.ts'
import type { RowDeps } from '../deps.ts'
import { settleTransfer } from '../files/transfer.ts'
import { deleteKeysOf } from '../keys/delete.ts'
import { findUnmanaged } from '../spaces/managers.ts'
import { findUser, type ProfileRow } from './find.ts'
import { changeAddress, fullNameOf } from './profile.ts'
import { findGiftRole, findGivenRole, refuseLastAdmin, refuseOwn } from './rights.ts'

type UpdateInput = ParsedInputOf<typeof endpoint>

/** The fields that the input changes; a field that already has its given value is undefined. */
function changesOf(user: ProfileRow, input: UpdateInput) {
  const isOther = <T>(given: T | undefined, held: T) => given !== undefined && given !== held
  return {
    role: isOther(input.role, user.role) ? input.role : undefined,
    is_active: isOther(input.is_active, user.is_active === 1) ? input.is_active : undefined,
    storage_quota: isOther(input.storage_quota, user.storage_quota) ? input.storage_quota : undefined,
    email: isOther(input.email, user.email) ? input.email : undefined,
    full_name: isOther(fullNameOf(input.full_name), user.full_name) ? fullNameOf(input.full_name) : undefined,
    password: input.password ? 'changed' : undefined,
  }
}

type Changes = ReturnType<typeof changesOf>

/**
 * Changes the given fields. Disabling the user or changing the role or password ends the user's sessions. A new
 * password also deletes the user's keys, because somebody who knew the old password may have made them. Throws
 * `not_found`, `name_taken`, `invalid_input` for an unknown role, `forbidden` and `protected`. Returns the team folders
 * that no active user manages because this one was disabled.
 */
export async function updateUser(
  { db, passwords }: RowDeps,
  actor: Principal,
  input: UpdateInput,
): Promise<{ id: number; name: string }[]> {
  const caller = callerOf(actor.username, actor.address)
  const passwordHash = input.password ? await passwords.hash(input.password, caller) : null
  return confirmedWrite(db, actor, async record => {
    const user = await findUser(db, input.id)
    const changes = changesOf(user, input)
    if (Object.values(changes).every(change => change === undefined)) {
      record.nothing()
      return []
    }
    await refuseChanges(db, actor, user, changes)
    await saveChanges(db, user, changes, passwordHash)
    if (changes.is_active === true) {
      await settleTransfer(db, { userId: user.id, spaceId: user.space_id, username: user.username }, record)
    }
    const endsSessions = changes.role !== undefined || changes.is_active === false || passwordHash !== null
    if (endsSessions) await endSessions(db, user.id, null)
    if (passwordHash !== null) await deleteKeysOf(db, record, user.id, 'all')
    record('user.update', { id: user.id }, { username: user.username, ...changes })
    return changes.is_active === false ? findUnmanaged(db, user.id) : []
  })
}

async function refuseChanges(db: Database, actor: Principal, user: ProfileRow, changes: Changes): Promise<void> {
  const { role, is_active, password } = changes
  // A stolen session must not become an account: the own password asks for the current one.
  if (password !== undefined) refuseOwn(actor, user, 'Change your own password in your account')
  if (role !== undefined || is_active !== undefined) {
    refuseOwn(actor, user, 'You cannot disable your own account or change its role')
  }
  // The quota is among them: with none left, nothing can be uploaded.
  refuseOverruling(actor, permissionsOf(user), 'user')
  if (role !== undefined || password !== undefined || is_active === true) refuseEmpowering(actor)
  if (role !== undefined) await findGiftRole(db, actor, role)
  if (role !== undefined || is_active === false) await refuseLastAdmin(db, user)
}

async function saveChanges(db: Database, user: ProfileRow, changes: Changes, hash: string | null): Promise<void> {
  const { role, is_active, storage_quota, email, full_name } = changes
  if (email !== undefined) await changeAddress(db, user.id, email)
  const columns = {
    full_name,
    role_id: role === undefined ? undefined : (await findGivenRole(db, role)).id,
    is_active: is_active === undefined ? undefined : toFlag(is_active),
    // A password set by an administrator need not be changed at sign-in.
    ...(hash === null ? {} : { password_hash: hash, must_change_password: 0 as const }),
    updated_at: Date.now(),
  }
  await db.update(db.users, columns, user.id)
  if (storage_quota !== undefined) await db.update(db.spaces, { storage_quota }, user.space_id)
}
