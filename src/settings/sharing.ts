/** Changes the settings of sharing with people and by links. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { findSharing, sharingKeys } from '../access/sharing-settings.ts'
import type { SharingSettings } from '../api/sharing-settings.ts'
import type { Database } from '../db/database.ts'

/** Changes the given settings. They bind existing shares and links at once. */
export function updateSharing(
  db: Database,
  actor: Principal,
  input: { [Key in keyof SharingSettings]?: SharingSettings[Key] | undefined },
): Promise<void> {
  return confirmedWrite(db, actor, async record => {
    const before = await findSharing(db)
    const changed = Object.entries(sharingKeys).flatMap(([name, key]) => {
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
