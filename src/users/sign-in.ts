/** Signing in: limits, password, and the same time and answer for a name that nobody has. */
import type { login } from '../api/auth.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { userKey } from '../db/user-key.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { type CredentialsRow, findByUsername } from './find.ts'

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
  const user = await findByUsername(deps.db, input.username)
  const matches = await deps.passwords.verify(user?.password_hash ?? null, input.password, () =>
    deps.limits.admit(attempt),
  )
  if (user === undefined || !matches) throw new AppError('unauthenticated', 'Invalid username or password')
  await deps.limits.succeed(attempt)
  if (user.is_active === 0) throw new AppError('forbidden', 'This account is disabled')
  return user
}
