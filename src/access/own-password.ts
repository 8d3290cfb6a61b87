/** Asks the user of a session for the password, so that a stolen session alone gains nothing that outlives it. */
import { AppError, invalidField } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { userKey } from '../db/user-key.ts'
import type { Actor } from './actor.ts'
import { callerOf } from './network.ts'
import type { Passwords } from './passwords.ts'
import type { SignInLimits } from './rate-limit.ts'
import { findPasswordHash } from './sessions.ts'

interface PasswordDeps {
  db: Database
  passwords: Passwords
  limits: SignInLimits
}

/**
 * Compares the typed password with that of the session's user, and returns the hash it was compared with. Throws
 * `invalid_input` on `current_password` if it is wrong, which counts like a failed sign-in, and `rate_limited`.
 */
export async function checkOwnPassword(
  { db, passwords, limits }: PasswordDeps,
  { sessionId, username, address }: Actor,
  typed: string,
): Promise<string | null> {
  const attempt = { usernameKey: userKey(username), address }
  const hash = await findPasswordHash(db, sessionId)
  const isRight = await passwords.verify(hash, typed, callerOf(username, address), () => limits.admit(attempt))
  if (!isRight) throw invalidField('current_password', 'The current password is wrong')
  await limits.succeed(attempt)
  return hash
}

/**
 * Throws `unauthenticated` unless the session's user still has the password with this hash. Call it in a confirmedWrite,
 * which no change of a password runs beside: the password may have been changed since it was compared.
 */
export async function requireSamePassword(db: Database, { sessionId }: Actor, hash: string | null): Promise<void> {
  if ((await findPasswordHash(db, sessionId)) === hash) return
  throw new AppError('unauthenticated', 'The password was changed meanwhile')
}
