/** Checks that each API key was created by a key of the same user: it ends with that key and shares its requests. */
import type { Database } from '../../db/database.ts'
import { type Recorder, systemActor } from '../../db/write.ts'
import type { Check } from './finding.ts'

interface ForeignlyMade {
  id: number
  name: string
  username: string
}

const foreignlyMade = `SELECT k.id, k.name, u.username FROM api_keys k JOIN users u ON u.id = k.user_id
  JOIN api_keys m ON m.id = k.made_by WHERE m.user_id <> k.user_id`

/** Disables the key until its owner looks at it, because nobody knows with which key it shares its requests. */
async function disown(db: Database, { id, name }: ForeignlyMade, record: Recorder): Promise<void> {
  await db.update(db.apiKeys, { made_by: null, is_active: 0 }, id)
  record('api-key.repair', { id }, { name, columns: ['made_by', 'is_active'] })
}

export async function checkKeyMakers({ deps: { db }, report, signal }: Check): Promise<void> {
  for (const key of await db.rows<ForeignlyMade>(`${foreignlyMade} ORDER BY k.id`)) {
    signal.throwIfAborted()
    const finding = {
      verdict: 'repairable',
      problem: 'foreign-maker',
      name: `api_keys ${key.id} of '${key.username}'`,
      detail: "another user's key made it",
    } as const
    await report(finding, () =>
      db.write(systemActor, async record => {
        record.nothing()
        if ((await db.row(`${foreignlyMade} AND k.id = $1`, [key.id])) === undefined) return false
        await disown(db, key, record)
        return true
      }),
    )
  }
}
