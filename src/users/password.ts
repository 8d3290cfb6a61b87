/** Changing one's own password. */
import type { Actor } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { callerOf } from '../access/network.ts'
import { checkOwnPassword, requireSamePassword } from '../access/own-password.ts'
import { endSessions } from '../access/sessions.ts'
import type { changePassword as endpoint } from '../api/auth.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { invalidField } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import { deleteKeysOf } from '../keys/delete.ts'

/**
 * Sets the password, ends every other session of the user and, unless `end_device_keys` is false, deletes the device
 * keys. Throws as `checkOwnPassword`, `unauthenticated` if the password changed meanwhile, and `invalid_input` on
 * `new_password` if a user who must change the password keeps the old one.
 */
export async function changePassword(deps: Deps, actor: Actor, input: ParsedInputOf<typeof endpoint>): Promise<void> {
  const { db, passwords } = deps
  const old = await checkOwnPassword(deps, actor, input.current_password)
  if (actor.mustChangePassword && input.new_password === input.current_password) {
    throw invalidField('new_password', 'Choose a new password')
  }
  const hash = await passwords.hash(input.new_password, callerOf(actor.username, actor.address))
  await confirmedWrite(db, actor, async record => {
    await requireSamePassword(db, actor, old)
    await db.change('UPDATE users SET password_hash = $1, must_change_password = 0, updated_at = $2 WHERE id = $3', [
      hash,
      Date.now(),
      actor.userId,
    ])
    await endSessions(db, actor.userId, actor.sessionId)
    if (input.end_device_keys ?? true) await deleteKeysOf(db, record, actor.userId, 'device')
    record('user.change-password', { id: actor.userId })
  })
}
