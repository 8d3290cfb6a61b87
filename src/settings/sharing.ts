/** The settings of sharing with people. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import type { SharingSettings } from '../api/sharing-settings.ts'
import type { Database } from '../db/database.ts'
import { isOneOf } from '../db/values.ts'

const keys = { people: 'sharing_people', everyone: 'sharing_everyone', find_people: 'sharing_find_people' } as const

/** The settings as they take effect: what is missing is off. */
export async function findSharing(db: Database): Promise<SharingSettings> {
  const rows = await db.rows<{ key: string; value: string }>(
    `SELECT \`key\`, value FROM settings WHERE ${isOneOf('`key`', Object.values(keys))}`,
    Object.values(keys),
  )
  const values = new Map(rows.map(({ key, value }) => [key, value]))
  return {
    people: values.get(keys.people) === 'true',
    everyone: values.get(keys.everyone) === 'true',
    find_people: values.get(keys.find_people) === 'names' ? 'names' : 'exact',
  }
}

/** Changes the given settings. They bind existing shares at once. */
export function updateSharing(
  db: Database,
  actor: Principal,
  input: { [Key in keyof SharingSettings]?: SharingSettings[Key] | undefined },
): Promise<void> {
  return confirmedWrite(db, actor, async record => {
    const before = await findSharing(db)
    const changed = Object.entries(keys).flatMap(([name, key]) => {
      const value = input[name as keyof SharingSettings]
      return value === undefined || value === before[name as keyof SharingSettings] ? [] : [{ name, key, value }]
    })
    if (changed.length === 0) return record.nothing()
    for (const { key, value } of changed) {
      await db.change('UPDATE settings SET value = $1, updated_at = $2 WHERE `key` = $3', [
        String(value),
        Date.now(),
        key,
      ])
    }
    record('sharing.update', { id: null }, Object.fromEntries(changed.map(({ name, value }) => [name, value])))
  })
}
