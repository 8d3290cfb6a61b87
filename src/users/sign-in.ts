/** Sign-in: rate limits and the password check. An unknown name takes the same time and gets the same answer. */
import { callerOf } from '../access/network.ts'
import type { login } from '../api/auth.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { AppError } from '../base/errors.ts'
import { userKey } from '../db/user-key.ts'
import { systemActor } from '../db/write-actor.ts'
import type { Deps } from '../deps.ts'
import { type CredentialsRow, findByUsername } from './find.ts'

type Refusal = 'unknown username' | 'wrong password' | 'account disabled' | 'too many attempts'

/**
 * Returns a function that records why an attempt was refused, and the username if the user exists. An unknown username
 * is not recorded because it may be a password typed into the wrong field.
 */
function openRefusals({ journal }: Deps, address: string) {
  const actor = { ...systemActor, address }
  return (reason: Refusal, user?: CredentialsRow) => {
    const detail: Record<string, string> = user === undefined ? { reason } : { username: user.username, reason }
    journal.refuse({ actor, action: 'session.refuse', itemId: null, detail })
  }
}

/**
 * Returns the user with this name and password. Throws `unauthenticated` for a wrong password, whether or not the name
 * exists or the account is disabled; `forbidden` for the right password of a disabled account; `rate_limited` beyond
 * the limits.
 */
export async function verifySignIn(
  deps: Deps,
  input: ParsedInputOf<typeof login>,
  address: string,
): Promise<CredentialsRow> {
  const attempt = { usernameKey: userKey(input.username), address }
  const noteRefusal = openRefusals(deps, address)
  const user = await findByUsername(deps.db, input.username)
  const caller = callerOf(input.username, address)
  const admit = () => deps.limits.admit(attempt)
  const compare = deps.passwords.verify(user?.password_hash ?? null, input.password, caller, admit)
  const matches = await compare.catch(error => {
    if (error instanceof AppError && error.code === 'rate_limited') noteRefusal('too many attempts')
    throw error
  })
  if (user === undefined || !matches) {
    noteRefusal(user === undefined ? 'unknown username' : 'wrong password', user)
    throw new AppError('unauthenticated', 'Invalid username or password')
  }
  await deps.limits.succeed(attempt)
  if (user.is_active === 0) {
    noteRefusal('account disabled', user)
    throw new AppError('forbidden', 'This account is disabled')
  }
  deps.passwords.noteSignIn(caller)
  return user
}
