/** Makes a user with their personal space. */
import { defaultStorageQuota } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { isTaken } from '../db/failures.ts'
import { toFlag } from '../db/models/columns.ts'
import type { WriteActor } from '../db/write.ts'
import { AppError, invalidField, nameTaken } from '../errors.ts'
import { findRoleId } from './find.ts'
import { userKey } from './user-key.ts'

interface NewUser {
  username: string
  email: string
  fullName?: string | null
  passwordHash: string
  role: string
  /** Bytes. */
  storageQuota?: number
  mustChangePassword?: boolean
}

/** Makes the user; gives back the id. Throws `name_taken` where name or address is another's, however it is written. */
export function createUser(db: Database, actor: WriteActor, user: NewUser): Promise<number> {
  return db.write(actor, async record => {
    const roleId = await findRoleId(db, user.role)
    if (roleId === undefined) throw invalidField('role', `There is no role '${user.role}'`)
    await refuseTaken(db, user)
    const now = Date.now()
    const id = await db
      .insert(db.users, {
        username: user.username,
        username_key: userKey(user.username),
        email: user.email,
        email_key: userKey(user.email),
        full_name: user.fullName ?? null,
        password_hash: user.passwordHash,
        role_id: roleId,
        is_active: 1,
        must_change_password: toFlag(user.mustChangePassword ?? false),
        created_at: now,
        updated_at: now,
      })
      .catch(error => {
        // Somebody was faster between the look and the insert.
        if (isTaken(error))
          throw new AppError('name_taken', 'This username or email is already taken', { cause: error })
        throw error
      })
    await db.insert(db.spaces, {
      kind: 'personal',
      owner_id: id,
      storage_quota: user.storageQuota ?? defaultStorageQuota,
    })
    record('user.create', { id }, { username: user.username, role: user.role })
    return id
  })
}

async function refuseTaken(db: Database, { username, email }: NewUser): Promise<void> {
  const taken = await db.row<{ username_key: string }>(
    'SELECT username_key FROM users WHERE username_key = $1 OR email_key = $2',
    [userKey(username), userKey(email)],
  )
  if (taken === undefined) return
  const isName = taken.username_key === userKey(username)
  throw nameTaken(isName ? username : email, isName ? 'username' : 'email')
}
