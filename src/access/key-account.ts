/** Reads api_keys for requests: a key by its public half, its owner and makers, and why it may not be used. */
import type { KeyKind } from '../api/keys.ts'
import { maxKeyGenerations } from '../api/limits.ts'
import type { Permission } from '../api/permissions.ts'
import type { Database } from '../db/database.ts'
import { keyPermissions } from '../db/models/api-keys.ts'
import { readStored } from '../db/stored-json.ts'
import type { Actor } from './actor.ts'
import { type KeyBudget, limitsOf } from './key-budgets.ts'
import { hashSecret, sameHash } from './secrets.ts'
import { type AccountRow, accountColumns, permissionsOf, userOf } from './sessions.ts'

/** The columns of a key, or of a key that made it, that decide whether and how often it may be used. */
interface KeyTerms {
  id: number
  key_is_active: 0 | 1
  kind: KeyKind
  expires_at: number | null
  rate_limit_per_minute: number | null
  rate_limit_per_hour: number | null
  rate_limit_per_day: number | null
  made_by: number | null
}

export interface KeyAccount extends AccountRow, KeyTerms {
  name: string
  secret_hash: string
  permissions: string
  last_used_at: number | null
  /** The chain of keys that made it, its direct maker first. */
  makers: readonly KeyTerms[]
  scope_space_id: number | null
  scope_item_id: number | null
}

const termsColumns = `k.id, k.is_active AS key_is_active, k.kind, k.expires_at, k.rate_limit_per_minute,
  k.rate_limit_per_hour, k.rate_limit_per_day, k.made_by`

const findMakers = (db: Database, { made_by }: KeyTerms): Promise<KeyTerms[]> =>
  made_by === null
    ? Promise.resolve([])
    : db.rows<KeyTerms>(
        `WITH RECURSIVE makers (id, level) AS (
           SELECT $1, 1
           UNION ALL
           SELECT k.made_by, makers.level + 1 FROM makers JOIN api_keys k ON k.id = makers.id
           WHERE k.made_by IS NOT NULL AND makers.level < ${maxKeyGenerations})
         SELECT ${termsColumns} FROM makers JOIN api_keys k ON k.id = makers.id ORDER BY makers.level`,
        [made_by],
      )

async function readKey(db: Database, condition: string, value: string | number): Promise<KeyAccount | undefined> {
  const key = await db.row<Omit<KeyAccount, 'makers'>>(
    `SELECT ${accountColumns}, ${termsColumns}, k.name, k.secret_hash, k.permissions, k.last_used_at, k.scope_space_id,
       k.scope_item_id
     FROM api_keys k JOIN users u ON u.id = k.user_id WHERE ${condition} = $1`,
    [value],
  )
  return key === undefined ? undefined : { ...key, makers: await findMakers(db, key) }
}

/** Finds a key by its public half, even if it may not be used. */
export const findKey = (db: Database, keyId: string): Promise<KeyAccount | undefined> =>
  db.cached(`key ${hashSecret(keyId)}`, () => readKey(db, 'k.key_id', keyId))

/** Why a key may not be used. */
export type KeyRefusal =
  | 'unknown key'
  | 'wrong secret'
  | 'key disabled'
  | 'key expired'
  | 'maker ended'
  | 'account disabled'

const isExpired = ({ expires_at }: KeyTerms, now: number): boolean => expires_at !== null && expires_at <= now

/** Whether any key in the chain that made this one is disabled, expired or deleted. */
const hasEndedMaker = ({ makers, made_by }: KeyAccount, now: number): boolean =>
  made_by !== null &&
  (makers.at(-1)?.made_by !== null || makers.some(maker => maker.key_is_active === 0 || isExpired(maker, now)))

/** Returns why a known key may not be used now, or null if it may. */
function endOf(key: KeyAccount, now: number): KeyRefusal | null {
  if (key.key_is_active === 0) return 'key disabled'
  if (isExpired(key, now)) return 'key expired'
  if (hasEndedMaker(key, now)) return 'maker ended'
  return key.is_active === 0 ? 'account disabled' : null
}

/**
 * Returns why a key may not be used, or null if it may. Compares the secret first, so that the response time tells
 * nothing to a caller without it.
 */
export function refusalOf(key: KeyAccount | undefined, secret: string, now: number): KeyRefusal | null {
  if (key === undefined) return 'unknown key'
  return sameHash(key.secret_hash, hashSecret(secret)) ? endOf(key, now) : 'wrong secret'
}

/** Returns a key that was found before; undefined if it may no longer be used. */
export async function findLiveKey(db: Database, id: number): Promise<KeyAccount | undefined> {
  const key = await readKey(db, 'k.id', id)
  return key !== undefined && endOf(key, Date.now()) === null ? key : undefined
}

/** The permissions that a key shares with its owner's role. */
export function sharedPermissions(key: KeyAccount): Permission[] {
  const ofRole = new Set(permissionsOf(key))
  const ofKey = readStored(keyPermissions, key.permissions, `api_keys ${key.id}`)
  return ofKey.filter(permission => ofRole.has(permission))
}

/** The budgets that a request counts against: the key's and those of its makers. Device keys have none. */
const budgetsOf = (key: KeyAccount): KeyBudget[] =>
  [key, ...key.makers].flatMap(one => {
    const limits = limitsOf(one)
    return limits === null ? [] : [{ keyId: one.id, limits }]
  })

/** The root of a key for one folder; one with half a scope, which only damage can leave, reaches nothing. */
const scopeOf = ({ scope_space_id, scope_item_id, space_id }: KeyAccount): Actor['root'] =>
  scope_space_id === null && scope_item_id === null
    ? { spaceId: space_id, folderId: null }
    : { spaceId: scope_space_id ?? 0, folderId: scope_item_id ?? 0 }

/** Returns the actor of a usable key. */
export function keyActor(key: KeyAccount, address: string): Actor {
  const { id, kind, expires_at: expiresAt } = key
  return {
    ...userOf(key, address),
    root: scopeOf(key),
    sessionId: null,
    permissions: new Set(sharedPermissions(key)),
    key: { id, kind, limits: limitsOf(key), expiresAt, budgets: budgetsOf(key), generation: key.makers.length },
  }
}
