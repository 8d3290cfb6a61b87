/** Keeps a user's API keys within the maximum: expired keys are deleted when new ones are made. */
import { maxKeys } from '../api/limits.ts'
import { invalidField } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Recorder } from '../db/recorder.ts'

interface CountedKey {
  id: number
  name: string
  expires_at: number | null
}

/**
 * Makes room for one more key inside a write, after lockRoles: deletes as many expired keys as needed, those that
 * expired first before others. Throws `invalid_input` if there are too many keys that have not expired.
 */
export async function makeRoomForKey(db: Database, record: Recorder, ownerId: number, now: number): Promise<void> {
  const keys = await db.rows<CountedKey>(
    'SELECT id, name, expires_at FROM api_keys WHERE user_id = $1 ORDER BY expires_at, id',
    [ownerId],
  )
  const excess = keys.length + 1 - maxKeys
  if (excess <= 0) return
  const expired = keys.filter(({ expires_at }) => expires_at !== null && expires_at <= now)
  if (expired.length < excess) {
    throw invalidField('name', `A user can have at most ${maxKeys} API keys: delete one first`)
  }
  for (const { id, name } of expired.slice(0, excess)) {
    await db.change('DELETE FROM api_keys WHERE id = $1', [id])
    record('api-key.delete', { id }, { name })
  }
}
