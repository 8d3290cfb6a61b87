/** From credentials to an Actor: a session's account, or a key in one of the three ways to present it. */
import type { KeyKind } from '../api/keys.ts'
import type { Permission } from '../api/permissions.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Actor } from './actor.ts'
import { limitsOf } from './key-budgets.ts'
import type { SignInLimits } from './rate-limit.ts'
import { hashSecret, sameHash } from './secrets.ts'
import { type AccountRow, accountColumns, permissionsOf, type SessionAccount } from './sessions.ts'

interface KeyCredentials {
  keyId: string
  secret: string
}

/** last_used_at is written at first use, then at most this often (ms). */
const usedEvery = 60_000

const wrongKey = (): AppError => new AppError('unauthenticated', 'Invalid API key')

const splitPair = (text: string): KeyCredentials => {
  const colon = text.indexOf(':')
  return { keyId: colon < 0 ? text : text.slice(0, colon), secret: colon < 0 ? '' : text.slice(colon + 1) }
}

type Headers = Record<string, string | string[] | undefined>
const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** The key that a request presents: X-API-Key-ID with X-API-Secret, Basic, or Bearer; null for none. */
export function readKeyCredentials(headers: Headers): KeyCredentials | null {
  const keyId = single(headers['x-api-key-id'])
  const secret = single(headers['x-api-secret'])
  if (keyId !== undefined || secret !== undefined) return { keyId: keyId ?? '', secret: secret ?? '' }
  const [, scheme, token] = /^(\w+)\s+(\S+)\s*$/.exec(single(headers.authorization) ?? '') ?? []
  if (scheme?.toLowerCase() === 'bearer' && token !== undefined) return splitPair(token)
  if (scheme?.toLowerCase() === 'basic' && token !== undefined)
    return splitPair(Buffer.from(token, 'base64').toString())
  return headers.authorization === undefined ? null : { keyId: '', secret: '' }
}

const userOf = (account: AccountRow, address: string) => ({
  userId: account.user_id,
  username: account.username,
  spaceId: account.space_id,
  permissions: new Set(permissionsOf(account)),
  mustChangePassword: account.must_change_password === 1,
  address,
})

/** The actor of a session that was found. */
export const sessionActor = (session: SessionAccount, address: string): Actor => ({
  ...userOf(session, address),
  sessionId: session.session_id,
  key: null,
})

interface KeyAccount extends AccountRow {
  id: number
  secret_hash: string
  kind: KeyKind
  permissions: string
  last_used_at: number | null
  expires_at: number | null
  rate_limit_per_minute: number | null
  rate_limit_per_hour: number | null
  rate_limit_per_day: number | null
}

const fromUsableKeys = `FROM api_keys k JOIN users u ON u.id = k.user_id
  WHERE k.is_active = 1 AND u.is_active = 1 AND (k.expires_at IS NULL OR k.expires_at > $2)`

/** The key that may be used now, with its owner's account; its secret is still to be compared. */
const findUsableKey = (db: Database, keyId: string, now: number): Promise<KeyAccount | undefined> =>
  db.row<KeyAccount>(
    `SELECT ${accountColumns}, k.id, k.secret_hash, k.kind, k.permissions, k.last_used_at, k.expires_at,
       k.rate_limit_per_minute, k.rate_limit_per_hour, k.rate_limit_per_day
     ${fromUsableKeys} AND k.key_id = $1`,
    [keyId, now],
  )

/** The account of a key that was found before, undefined where it may no longer be used. */
export const findKeyAccount = (db: Database, id: number): Promise<AccountRow | undefined> =>
  db.row<AccountRow>(`SELECT ${accountColumns} ${fromUsableKeys} AND k.id = $1`, [id, Date.now()])

function keyActor(key: KeyAccount, address: string): Actor {
  const ofRole = new Set(permissionsOf(key))
  const ofKey = JSON.parse(key.permissions) as Permission[]
  return {
    ...userOf(key, address),
    sessionId: null,
    permissions: new Set(ofKey.filter(permission => ofRole.has(permission))),
    key: { id: key.id, kind: key.kind, limits: limitsOf(key), expiresAt: key.expires_at },
  }
}

type AuthenticateKey = (credentials: KeyCredentials, address: string) => Promise<Actor>

interface AuthenticationDeps {
  db: Database
  limits: SignInLimits
  log: Log
}

/**
 * Gives back a function from credentials to the actor of a key. It throws `unauthenticated`, alike for every reason,
 * and `rate_limited` for the next wrong key after 100 a minute from an address; a right one always passes, for others
 * may share the address.
 */
export function openKeyAuthentication({ db, limits, log }: AuthenticationDeps): AuthenticateKey {
  /** Keys whose use is being noted: of many requests at once, one writes. */
  const noting = new Set<number>()

  async function noteUse({ id, last_used_at }: KeyAccount, now: number): Promise<void> {
    if (noting.has(id) || (last_used_at !== null && now - last_used_at < usedEvery)) return
    noting.add(id)
    try {
      await db.touch(() => db.change('UPDATE api_keys SET last_used_at = $1 WHERE id = $2', [now, id]))
    } catch (error) {
      // A disk without room for this note still has files to read.
      log.warn({ err: error, key: id }, 'the use of a key was not noted')
    } finally {
      noting.delete(id)
    }
  }

  return async (credentials, address) => {
    const now = Date.now()
    const found = await findUsableKey(db, credentials.keyId, now)
    if (found === undefined || !sameHash(found.secret_hash, hashSecret(credentials.secret))) {
      await limits.failKey(address)
      throw wrongKey()
    }
    await noteUse(found, now)
    return keyActor(found, address)
  }
}
