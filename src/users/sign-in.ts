/** Signing in: limits, password, and the same time and answer for a name that nobody has. */
import type { login } from '../api/auth.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { maxUsernameLength } from '../api/limits.ts'
import { userKey } from '../db/user-key.ts'
import { systemActor } from '../db/write.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { type CredentialsRow, findByUsername } from './find.ts'

/** Gives back a function that notes why an attempt was refused; of many refused for their number, who they came from. */
function openRefusals({ journal }: Deps, username: string, address: string) {
  const actor = { ...systemActor, address }
  // No username is longer, and whoever tries one writes into the log.
  const tried = username.slice(0, maxUsernameLength)
  return (reason: 'unknown username' | 'wrong password' | 'account disabled' | 'too many attempts') => {
    const detail: Record<string, string> = reason === 'too many attempts' ? { reason } : { username: tried, reason }
    journal.refuse({ actor, action: 'session.refuse', itemId: null, detail })
  }
}

/**
 * The user of a name and password. Throws `unauthenticated` for a wrong one, whether or not the name exists or its
 * account is disabled; `forbidden` for the right one of a disabled account; `rate_limited` beyond the limits.
 */
export async function verifySignIn(
  deps: Deps,
  input: ParsedInputOf<typeof login>,
  address: string,
): Promise<CredentialsRow> {
  const attempt = { usernameKey: userKey(input.username), address }
  const noteRefusal = openRefusals(deps, input.username, address)
  const user = await findByUsername(deps.db, input.username)
  const compare = deps.passwords.verify(user?.password_hash ?? null, input.password, () => deps.limits.admit(attempt))
  const matches = await compare.catch(error => {
    if (error instanceof AppError && error.code === 'rate_limited') noteRefusal('too many attempts')
    throw error
  })
  if (user === undefined || !matches) {
    noteRefusal(user === undefined ? 'unknown username' : 'wrong password')
    throw new AppError('unauthenticated', 'Invalid username or password')
  }
  await deps.limits.succeed(attempt)
  if (user.is_active === 0) {
    noteRefusal('account disabled')
    throw new AppError('forbidden', 'This account is disabled')
  }
  return user
}
