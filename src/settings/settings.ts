/** Lists the switches and changes one. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { type Setting, settingKeys } from '../api/settings.ts'
import { notFound } from '../base/errors.ts'
import { isoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import { findSettings, type SettingRow } from './find.ts'

const presentSetting = (row: SettingRow): Setting => ({
  key: row.key,
  value: row.value,
  updated_at: isoTime(row.updated_at),
})

/** All five, each parent before its dependents. */
export async function listSettings(db: Database): Promise<Setting[]> {
  const rows = await findSettings(db)
  return settingKeys.flatMap(key => rows.filter(row => row.key === key)).map(presentSetting)
}

/** Sets a switch; setting its current value does nothing. Throws `not_found` for an unknown key. */
export async function updateSetting(
  db: Database,
  actor: Principal,
  key: string,
  value: SettingRow['value'],
): Promise<Setting> {
  if (!settingKeys.some(known => known === key)) throw notFound('Setting')
  await confirmedWrite(db, actor, async record => {
    const changed = await db.change(
      'UPDATE settings SET value = $1, updated_at = $2 WHERE `key` = $3 AND value <> $1',
      [value, Date.now(), key],
    )
    if (changed === 0) record.nothing()
    else record('setting.update', { id: null }, { key, value })
  })
  const setting = (await listSettings(db)).find(candidate => candidate.key === key)
  if (setting === undefined) throw notFound('Setting')
  return setting
}
