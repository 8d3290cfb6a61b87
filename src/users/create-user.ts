/** Creates a user with their personal space. */
import { defaultStorageQuota } from '../api/limits.ts'
import { AppError, nameTaken } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { isTaken } from '../db/failures.ts'
import { lockRoles } from '../db/lock-roles.ts'
import { toFlag } from '../db/models/columns.ts'
import type { Recorder } from '../db/recorder.ts'
import { userKey } from '../db/user-key.ts'
import type { WriteActor } from '../db/write-actor.ts'
import type { RoleDetailsRow } from '../roles/find.ts'
import { findTaken } from './find.ts'
import { fillSkeletons, findLookAlike } from './look-alikes.ts'
import { findGivenRole } from './rights.ts'

interface NewUser {
  username: string
  email: string
  fullName?: string | null
  passwordHash: string
  /** Bytes. */
  storageQuota?: number
  mustChangePassword?: boolean
}

/**
 * Creates a user on behalf of the server itself and returns the id. Throws as `insertUser`, and `invalid_input` for an
 * unknown role.
 */
export async function createUser(db: Database, actor: WriteActor, user: NewUser & { role: string }): Promise<number> {
  await fillSkeletons(db)
  return db.write(actor, async record => {
    await lockRoles(db)
    return insertUser(db, record, user, await findGivenRole(db, user.role))
  })
}

/**
 * Creates a user inside a write and returns the id; call fillSkeletons and then lockRoles first. Throws `name_taken` if
 * another user has the name or the email, in any spelling, or if the name looks like another user's.
 */
export async function insertUser(db: Database, record: Recorder, user: NewUser, role: RoleDetailsRow): Promise<number> {
  await refuseTaken(db, user)
  await refuseLookAlike(db, user.username)
  const { usernameSkeleton } = await import('../db/skeletons.ts')
  const now = Date.now()
  const row = {
    username: user.username,
    username_key: userKey(user.username),
    username_skeleton: usernameSkeleton(user.username),
    email: user.email,
    email_key: userKey(user.email),
    full_name: user.fullName ?? null,
    password_hash: user.passwordHash,
    role_id: role.id,
    is_active: 1,
    must_change_password: toFlag(user.mustChangePassword ?? false),
    created_at: now,
    updated_at: now,
  } as const
  const id = await db.insert(db.users, row).catch(async error => {
    // A user took the email for their profile between the check and the insert.
    if (isTaken(error)) await refuseTaken(db, user)
    throw error
  })
  const storageQuota = user.storageQuota ?? defaultStorageQuota
  await db.insert(db.spaces, { kind: 'personal', owner_id: id, storage_quota: storageQuota, created_at: now })
  record('user.create', { id }, { username: user.username, role: role.name })
  return id
}

async function refuseTaken(db: Database, { username, email }: NewUser): Promise<void> {
  const taken = await findTaken(db, username, email)
  if (taken !== undefined) throw nameTaken(taken === 'username' ? username : email, taken)
}

async function refuseLookAlike(db: Database, username: string): Promise<void> {
  const other = await findLookAlike(db, username)
  if (other === undefined) return
  const message = `'${username}' looks like '${other}', which is already taken`
  throw new AppError('name_taken', message, { fields: { username: message } })
}
