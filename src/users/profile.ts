/** What users change about themselves: the address and the name. */
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

/** A full name as it is kept: empty and null are none, undefined is not given. */
export const fullNameOf = (given: string | null | undefined): string | null | undefined =>
  given === undefined ? undefined : given || null

/** Sets a user's address inside a write. Throws `name_taken` where another's is the same, however it is written. */
export async function changeAddress(db: Database, userId: number, email: string): Promise<void> {
  if ((await findTaken(db, null, email, userId)) !== undefined) throw nameTaken(email, 'email')
  await db.update(db.users, { email, email_key: userKey(email) }, userId).catch(error => {
    // Somebody was faster between the look and the change.
    throw isTaken(error) ? nameTaken(email, 'email') : error
  })
}

/** Changes what is given of the actor's own profile. Throws `name_taken`, and `rate_limited` for too many addresses. */
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
