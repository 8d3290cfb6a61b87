/** What of an API key's list tells whether the key opens anything; read by the page and by the terminal. */
import type { ApiKey } from './keys.ts'

export const isExpired = ({ expires_at }: ApiKey, now = Date.now()): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now

/**
 * Whether a key that made this one, at whatever remove, is disabled, expired or gone: then no request is answered. `keys`
 * are all keys of its user.
 */
export function hasEndedMaker({ made_by }: ApiKey, keys: readonly ApiKey[]): boolean {
  if (made_by === null) return false
  const maker = keys.find(({ id }) => id === made_by)
  // A maker is older; without this, keys of a damaged database that made each other would be asked for ever.
  const older = keys.filter(({ id }) => id < made_by)
  return maker === undefined || !maker.is_active || isExpired(maker) || hasEndedMaker(maker, older)
}
