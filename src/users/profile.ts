/** Changing one's own profile: email and full name. */
import type { Actor } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import type { updateProfile as endpoint } from '../api/auth.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { nameTaken } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { isTaken } from '../db/failures.ts'
import { userKey } from '../db/user-key.ts'
import type { Deps } from '../deps.ts'
import { findTaken, findUser } from './find.ts'

/** A full name as stored: empty and null become null; undefined (not given) stays undefined. */
export const fullNameOf = (given: string | null | undefined): string | null | undefined =>
  given === undefined ? undefined : given || null

/** Sets a user's email inside a write. Throws `name_taken` if another user has it, in any spelling. */
export async function changeAddress(db: Database, userId: number, email: string): Promise<void> {
  if ((await findTaken(db, null, email, userId)) !== undefined) throw nameTaken(email, 'email')
  await db.update(db.users, { email, email_key: userKey(email) }, userId).catch(error => {
    // Another write took the email between the check and the update.
    throw isTaken(error) ? nameTaken(email, 'email') : error
  })
}

/** Changes the given fields of the actor's own profile. Throws `name_taken`, and `rate_limited` for too many emails. */
export async function updateProfile(
  { db, limits }: Pick<Deps, 'db' | 'limits'>,
  actor: Actor,
  input: ParsedInputOf<typeof endpoint>,
): Promise<void> {
  const { email: held } = await findUser(db, actor.userId)
  if (input.email !== undefined && input.email !== held) await limits.tryEmail(actor.userId)
  await confirmedWrite(db, actor, async record => {
    const user = await findUser(db, actor.userId)
    const email = input.email === user.email ? undefined : input.email
    const given = fullNameOf(input.full_name)
    const full_name = given === user.full_name ? undefined : given
    if (email === undefined && full_name === undefined) return record.nothing()
    if (email !== undefined) await changeAddress(db, user.id, email)
    const name = full_name === undefined ? {} : { full_name }
    await db.update(db.users, { ...name, updated_at: Date.now() }, user.id)
    record('user.update-profile', { id: user.id }, { email, full_name })
  })
}
