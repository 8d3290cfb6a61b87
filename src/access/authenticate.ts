/** Turns a key, in one of the three ways to present it, into an Actor. */

import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Journal } from '../db/journal.ts'
import { systemActor } from '../db/write-actor.ts'
import { type Actor, writeActor } from './actor.ts'
import { findKey, type KeyAccount, type KeyRefusal, keyActor, refusalOf } from './key-account.ts'
import type { SignInLimits } from './rate-limit.ts'
import { isKeyId } from './secrets.ts'

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

/** Reads the key that a request presents: X-API-Key-ID with X-API-Secret, Basic, or Bearer; null for none. */
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

type AuthenticateKey = (credentials: KeyCredentials, address: string) => Promise<Actor>

/** Returns the current actor of a key that was admitted before; undefined if the key may no longer be used. */
export async function findKeyActor(
  db: Database,
  { keyId, secret }: KeyCredentials,
  address: string,
): Promise<Actor | undefined> {
  const key = await findKey(db, keyId)
  return key === undefined || refusalOf(key, secret, Date.now()) !== null ? undefined : keyActor(key, address)
}

interface AuthenticationDeps {
  db: Database
  journal: Journal
  limits: SignInLimits
  log: Log
}

/**
 * Returns a function that turns credentials into the actor of a key. It throws the same `unauthenticated` for every
 * reason, and `rate_limited` for wrong keys beyond 100 a minute from an address. A right key always passes, because
 * other users may share the address.
 */
export function openKeyAuthentication({ db, journal, limits, log }: AuthenticationDeps): AuthenticateKey {
  /** Keys whose use is being saved. Of many requests at once, only one writes. */
  const noting = new Set<number>()

  async function noteUse({ id, last_used_at }: KeyAccount, now: number): Promise<void> {
    if (noting.has(id) || (last_used_at !== null && now - last_used_at < usedEvery)) return
    noting.add(id)
    try {
      await db.touch(() => db.change('UPDATE api_keys SET last_used_at = $1 WHERE id = $2', [now, id]))
    } catch (error) {
      // If the disk is too full for this note, files can still be read.
      log.warn({ err: error, key: id }, 'the use of a key was not noted')
    } finally {
      noting.delete(id)
    }
  }

  /** Returns the error for a refused key. The reason is recorded in the audit log only. */
  async function refuse(reason: KeyRefusal, keyId: string, key: KeyAccount | undefined, address: string) {
    const note = { actor: { ...systemActor, address }, action: 'api-key.refuse' } as const
    await limits.failKey(address).catch(error => {
      journal.refuse({ ...note, itemId: null, detail: { reason: 'too many wrong keys' } })
      throw error
    })
    // Text that does not look like a key id may be a secret in the wrong place, so it is not recorded.
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
