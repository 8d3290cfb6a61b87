/** Random secrets, and the hashes that are stored of them. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { keyIdPrefix, keySecretPrefix } from '../api/limits.ts'
import { takeRandom } from '../base/random.ts'

/** SHA-256, hex. Enough for secrets of 256 random bits, which cannot be guessed. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** 256 random bits for a session's cookie. koa-session requests one for every request without a session. */
export const newSessionSecret = (): string => takeRandom(32).toString('base64url')

export const newKeyId = (): string => keyIdPrefix + randomBytes(12).toString('hex')
/** Whether a text has the form of a key's public half. */
export const isKeyId = (text: string): boolean => text.startsWith(keyIdPrefix) && /^\w{1,64}$/.test(text)
export const newKeySecret = (): string => keySecretPrefix + randomBytes(32).toString('base64url')

/** A password for a person to type once: 20 characters, 119 bits. */
export const newPassword = (): string => randomBytes(15).toString('base64url')

/** Compares two hashes in a time that does not depend on where they differ. */
export const sameHash = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
