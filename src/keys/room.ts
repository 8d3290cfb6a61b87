/** Keeps the number of a user's API keys below its most: those that have expired go when new ones come. */
import { maxKeys } from '../api/limits.ts'
import { invalidField } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Recorder } from '../db/write.ts'

interface CountedKey {
  id: number
  name: string
  expires_at: number | null
}

/**
 * Makes room for one more key inside a write, behind lockRoles: deletes the keys that expired first, as many as are too
 * many. Throws `invalid_input` where those that still hold are too many.
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
