/** What tables show of an API key. */
import type { ApiKey } from '../src/api/keys.ts'
import { formatTime } from './format.ts'

export function keyState({ is_active, expires_at }: ApiKey): string {
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'expired'
  return is_active ? 'active' : 'disabled'
}

export const timeCell = (iso: string | null): string => (iso === null ? 'never' : formatTime(iso))
