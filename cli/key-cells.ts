/** Table cells for API keys. */
import { hasEndedMaker, isExpired } from '../src/api/key-state.ts'
import type { ApiKey } from '../src/api/keys.ts'
import { formatTime } from '../terminal/format.ts'

/** Returns the state of a key. `keys` are all keys of its user. */
export function keyState(key: ApiKey, keys: readonly ApiKey[]): string {
  if (isExpired(key)) return 'expired'
  if (!key.is_active) return 'disabled'
  return hasEndedMaker(key, keys) ? 'maker ended' : 'active'
}

export const timeCell = (iso: string | null): string => (iso === null ? 'never' : formatTime(iso))
