/** Deletes API keys permanently, together with the keys that they made. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Recorder } from '../db/recorder.ts'
import { isOneOfMany, valuesAtOnce } from '../db/values.ts'
import { findKeyOf, findWithMade, type KeyRow } from './find.ts'

type NamedKey = Pick<KeyRow, 'id' | 'name'>

async function removeKeys(db: Database, record: Recorder, keys: readonly NamedKey[]): Promise<void> {
  const ids = keys.map(({ id }) => id)
  const { condition, values } = isOneOfMany(db.dialect, 'id', ids)
  await db.change(`DELETE FROM api_keys WHERE ${condition}`, values)
  for (const { id, name } of keys) record('api-key.delete', { id }, { name })
}

/**
 * Permanently deletes a user's key and all keys that it made; requests with them fail from then on. Throws `not_found`
 * if the key does not exist or is another user's.
 */
export async function deleteApiKey(db: Database, actor: Principal, ownerId: number, id: number): Promise<void> {
  await confirmedWrite(db, actor, async record => {
    await findKeyOf(db, ownerId, id)
    const keys = await findWithMade(db, id)
    if (keys.length === 0) throw notFound('API key')
    await removeKeys(db, record, keys)
  })
}

/**
 * Deletes all keys of a user inside a write, or only the device keys, which neither make keys nor are made by keys. It
 * does not use findKeys, which is limited in length: older versions did not limit the number of keys per user.
 */
export async function deleteKeysOf(db: Database, record: Recorder, userId: number, which: 'all' | 'device') {
  const condition = which === 'device' ? "user_id = $1 AND kind = 'device'" : 'user_id = $1'
  const query = `SELECT id, name FROM api_keys WHERE ${condition} ORDER BY id LIMIT ${valuesAtOnce}`
  for (;;) {
    const keys = await db.rows<NamedKey>(query, [userId])
    if (keys.length === 0) return
    await removeKeys(db, record, keys)
  }
}
