/** Random secrets, and the hashes under which they are kept. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { keyIdPrefix, keySecretPrefix } from '../api/limits.ts'
import { takeRandom } from '../base/random.ts'

/** SHA-256, hex. Enough for secrets of 256 random bits: there is nothing to guess. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** 256 random bits, for a session's cookie. koa-session asks for one for every request that has none. */
export const newSessionSecret = (): string => takeRandom(32).toString('base64url')

export const newKeyId = (): string => keyIdPrefix + randomBytes(12).toString('hex')
/** Whether a text has the form of a key's public half. */
export const isKeyId = (text: string): boolean => text.startsWith(keyIdPrefix) && /^\w{1,64}$/.test(text)
export const newKeySecret = (): string => keySecretPrefix + randomBytes(32).toString('base64url')

/** A password for people to type once: 20 characters, 119 bits. */
export const newPassword = (): string => randomBytes(15).toString('base64url')

/** Compares in a time that does not depend on where two hashes differ. */
export const sameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
