/** Changing one's own password. */
import type { Actor } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { endSessions } from '../access/sessions.ts'
import type { changePassword as endpoint } from '../api/auth.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { userKey } from '../db/user-key.ts'
import type { Deps } from '../deps.ts'
import { AppError, invalidField } from '../errors.ts'
import { findPasswordHash } from './find.ts'

/**
 * Sets the password and ends every other session of the user. Throws `invalid_input` on `current_password` where that is
 * wrong, which counts like a failed sign-in, and on `new_password` where somebody must choose another and does not.
 */
export async function changePassword(deps: Deps, actor: Actor, input: ParsedInputOf<typeof endpoint>): Promise<void> {
  const { db, passwords, limits } = deps
  const attempt = { usernameKey: userKey(actor.username), address: actor.address }
  const old = await findPasswordHash(db, actor.userId)
  if (!(await passwords.verify(old, input.current_password, () => limits.admit(attempt)))) {
    throw invalidField('current_password', 'The current password is wrong')
  }
  await limits.succeed(attempt)
  if (actor.mustChangePassword && input.new_password === input.current_password) {
    throw invalidField('new_password', 'Choose a new password')
  }
  const hash = await passwords.hash(input.new_password)
  await confirmedWrite(db, actor, async record => {
    const changed = await db.change(
      `UPDATE users SET password_hash = $1, must_change_password = 0, updated_at = $2
       WHERE id = $3 AND password_hash = $4`,
      [hash, Date.now(), actor.userId, old],
    )
    if (changed === 0) throw new AppError('unauthenticated', 'The password was changed meanwhile')
    await endSessions(db, actor.userId, actor.sessionId)
    record('user.change-password', { id: actor.userId })
  })
}
