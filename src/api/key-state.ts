/** Tells from the list of API keys whether a key still works; used by the page and the terminal. */
import type { ApiKey } from './keys.ts'

export const isExpired = ({ expires_at }: ApiKey, now = Date.now()): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now

/**
 * Whether the key that made this one, directly or through other keys, is disabled, expired or deleted. This key's
 * requests are refused then. `keys` are all keys of its user.
 */
export function hasEndedMaker({ made_by }: ApiKey, keys: readonly ApiKey[]): boolean {
  if (made_by === null) return false
  const maker = keys.find(({ id }) => id === made_by)
  // A maker has a lower id. Without this, keys that made each other in a damaged database would recurse forever.
  const older = keys.filter(({ id }) => id < made_by)
  return maker === undefined || !maker.is_active || isExpired(maker) || hasEndedMaker(maker, older)
}
