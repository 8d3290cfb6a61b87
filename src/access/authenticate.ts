/** From credentials to an Actor: a session's account, or a key in one of the three ways to present it. */
import type { KeyKind } from '../api/keys.ts'
import type { Permission } from '../api/permissions.ts'
import type { Database } from '../db/database.ts'
import type { Journal } from '../db/journal.ts'
import { systemActor } from '../db/write.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { type Actor, writeActor } from './actor.ts'
import { limitsOf } from './key-budgets.ts'
import type { SignInLimits } from './rate-limit.ts'
import { hashSecret, isKeyId, sameHash } from './secrets.ts'
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
  name: string
  secret_hash: string
  key_is_active: 0 | 1
  kind: KeyKind
  permissions: string
  last_used_at: number | null
  expires_at: number | null
  rate_limit_per_minute: number | null
  rate_limit_per_hour: number | null
  rate_limit_per_day: number | null
}

const fromKeys = 'FROM api_keys k JOIN users u ON u.id = k.user_id'

/** The key of its public half, whether or not it may be used, with its owner's account. */
const findKey = (db: Database, keyId: string): Promise<KeyAccount | undefined> =>
  db.unchanged(`key ${hashSecret(keyId)}`, () =>
    db.row<KeyAccount>(
      `SELECT ${accountColumns}, k.id, k.name, k.secret_hash, k.is_active AS key_is_active, k.kind, k.permissions,
         k.last_used_at, k.expires_at, k.rate_limit_per_minute, k.rate_limit_per_hour, k.rate_limit_per_day
       ${fromKeys} WHERE k.key_id = $1`,
      [keyId],
    ),
  )

type KeyRefusal = 'unknown key' | 'wrong secret' | 'key disabled' | 'key expired' | 'account disabled'

/** Why a key may not be used, null where it may. The secret comes first: who lacks it is told nothing by the time. */
function refusalOf(key: KeyAccount | undefined, secret: string, now: number): KeyRefusal | null {
  if (key === undefined) return 'unknown key'
  if (!sameHash(key.secret_hash, hashSecret(secret))) return 'wrong secret'
  if (key.key_is_active === 0) return 'key disabled'
  if (key.expires_at !== null && key.expires_at <= now) return 'key expired'
  return key.is_active === 0 ? 'account disabled' : null
}

/** The account of a key that was found before, undefined where it may no longer be used. */
export const findKeyAccount = (db: Database, id: number): Promise<AccountRow | undefined> =>
  db.row<AccountRow>(
    `SELECT ${accountColumns} ${fromKeys}
     WHERE k.id = $1 AND k.is_active = 1 AND u.is_active = 1 AND (k.expires_at IS NULL OR k.expires_at > $2)`,
    [id, Date.now()],
  )

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
  journal: Journal
  limits: SignInLimits
  log: Log
}

/**
 * Gives back a function from credentials to the actor of a key. It throws `unauthenticated`, alike for every reason,
 * and `rate_limited` for the next wrong key after 100 a minute from an address; a right one always passes, for others
 * may share the address.
 */
export function openKeyAuthentication({ db, journal, limits, log }: AuthenticationDeps): AuthenticateKey {
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

  /** Throws why the key is not taken, which the audit log alone tells apart. */
  async function refuse(reason: KeyRefusal, keyId: string, key: KeyAccount | undefined, address: string) {
    const note = { actor: { ...systemActor, address }, action: 'api-key.refuse' }
    await limits.failKey(address).catch(error => {
      journal.refuse({ ...note, itemId: null, detail: { reason: 'too many wrong keys' } })
      throw error
    })
    // What has another form may be a secret in the wrong place.
    const shown: Record<string, string> = isKeyId(keyId) ? { key_id: keyId } : {}
    journal.refuse({ ...note, itemId: key?.id ?? null, detail: { ...shown, reason } })
    return wrongKey()
  }

  return async (credentials, address) => {
    const now = Date.now()
    const found = await findKey(db, credentials.keyId)
    const refusal = refusalOf(found, credentials.secret, now)
    if (found === undefined || refusal !== null) {
      throw await refuse(refusal ?? 'unknown key', credentials.keyId, found, address)
    }
    await noteUse(found, now)
    const actor = keyActor(found, address)
    journal.note({ actor: writeActor(actor), action: 'api-key.use', itemId: found.id, detail: { name: found.name } })
    return actor
  }
}
